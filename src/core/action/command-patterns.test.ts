import { describe, expect, it } from 'vitest'
import { invocationsIn } from '../../../test/support/shell.ts'
import { commandFinder } from './command-patterns.ts'

const found = (pattern: string, line: string) =>
  invocationsIn(line)
    .map(commandFinder([pattern]))
    .find((one) => one !== undefined)

describe('A pattern', () => {
  it.each([
    ['terraform destroy', 'terraform destroy -auto-approve', 'terraform destroy'],
    ['terraform destroy', 'terraform -chdir=envs/dev destroy', 'terraform -chdir=envs/dev destroy'],
    ['kubectl|oc delete', 'kubectl --context x delete deploy/web', 'kubectl --context x delete'],
    ['kubectl delete', 'kubectl -n shop --context=x delete ns y', 'kubectl -n shop --context=x delete'],
    ['helm uninstall', 'helm --debug uninstall web', 'helm --debug uninstall'],
    ['kubectl rollout restart|undo', 'kubectl rollout undo deploy/web', 'kubectl rollout undo'],
    ['git push -f|--force', 'git push origin main -f', 'git push origin main -f'],
    ['git push -f|--force', 'git -C sub push -uf origin main', 'git -C sub push -uf'],
    ['git push -f|--force', 'env FOO=1 git -C sub push --force', 'git -C sub push --force'],
    ['git push -f|--force', '"git" push -f', 'git push -f'],
    ['git push * :*|+*', 'git push origin :old', 'git push origin :old'],
    ['git push', 'git -c a=b --no-pager push', 'git -c a=b --no-pager push'],
    [
      'docker compose down -v|--volumes',
      'docker compose -f a.yml down --volumes',
      'docker compose -f a.yml down --volumes',
    ],
    ['terraform apply -destroy', 'terraform apply -auto-approve -destroy', 'terraform apply -auto-approve -destroy'],
    ['aws * delete-*', 'aws --profile p dynamodb delete-table --table-name t', 'aws --profile p dynamodb delete-table'],
    ['gcloud ** delete', 'gcloud sql instances delete shop', 'gcloud sql instances delete'],
    ['crontab -r', 'crontab -u web -r', 'crontab -u web -r'],
    ['git commit -n|--no-verify', 'git commit -nm x', 'git commit -nm'],
    ['sed|perl -i|--in-place', "perl -0pi.bak -e 's/a/b/' a", 'perl -0pi.bak'],
    ['* --suppress-all', 'npm run lint -- --suppress-all', 'run lint -- --suppress-all'],
    ['* ** db:reset', 'yarn db:reset', 'db:reset'],
    ['* ** db:drop|db:drop:*', 'bundle exec rails db:create db:drop:all', 'db:create db:drop:all'],
  ])('%s: %s', (pattern, line, phrase) => {
    expect(found(pattern, line)?.phrase).toBe(phrase)
  })

  it.each([
    ['terraform destroy', 'echo "terraform destroy"'],
    ['terraform destroy', 'echo terraform destroy'],
    ['terraform destroy', 'terraform plan destroy'],
    ['kubectl delete', "grep -r 'kubectl delete' docs"],
    ['kubectl delete', 'kubectl get delete'],
    ['npm uninstall', 'git commit -m "npm uninstall left-pad"'],
    ['npm rm', 'npm --silent run rm'],
    ['dropdb', "cat > notes.md <<'END'\ndropdb shop\nEND"],
    ['git push', 'git --no-pager log push'],
    ['git push', 'git stash push'],
    ['git push -f|--force', 'git push --force-with-lease'],
    ['git push -f|--force', 'git push origin -- -f'],
    ['git push -f|--force', 'git push -u origin force'],
    ['git commit -n|--no-verify', 'git commit -m"new names"'],
    ['git commit -n|--no-verify', 'git commit -amnames'],
    ['sed|perl -i|--in-place', "perl -ne'print if /a/' a"],
    ['docker compose down -v', 'docker compose down && rm -v a'],
    ['docker compose down -v', 'docker compose -v down'],
    ['crontab -r', 'crontab -l'],
    ['* ** db:drop', 'echo rails db:drop'],
    ['* ** db:drop', 'git grep db:drop'],
  ])('%s is not %s', (pattern, line) => {
    expect(found(pattern, line)).toBeUndefined()
  })

  it('tells what stands behind the verbs, and by which option it was found', () => {
    expect(found('npm un|uninstall', 'npm --prefix web uninstall -D left-pad knex')?.operands).toEqual([
      'left-pad',
      'knex',
    ])
    expect(found('* --set-baseline', 'psalm --set-baseline=a.xml')?.option).toBe('--set-baseline')
  })

  it('keeps secrets and what only the shell knows out of its phrase', () => {
    const line = `vault -address "$ADDR" --token=${['hvs', 'CAESIJ8kL2mN4pQ6rS8tU0vW'].join('.')} delete secret/a`
    const phrase = found('vault delete', line)?.phrase
    expect(phrase).toContain('-address …')
    expect(phrase).not.toContain('CAESIJ8kL2mN4pQ6rS8tU0vW')
  })
})
