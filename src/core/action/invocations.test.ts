import { describe, expect, it } from 'vitest'
import { invocationsIn } from '../../../test/support/shell.ts'
import { UNKNOWN } from '../shell/values.ts'
import { codeGivenTo } from './invocations.ts'

const told = (line: string) =>
  invocationsIn(line)
    .filter(({ handsOn }) => !handsOn)
    .map(({ program, args }) => [program, ...args].join(' ').replaceAll(UNKNOWN, '?'))

describe('What a command line runs', () => {
  it.each([
    ['echo "terraform destroy"', ['echo terraform destroy']],
    ['git status && npm test | tee log', ['git status', 'npm test', 'tee log']],
    ['(cd a; git push) &', ['cd a', 'git push']],
    ['"git" push -f', ['git push -f']],
    ['sudo -u postgres /usr/bin/dropdb shop', ['dropdb shop']],
    ['echo a b | xargs -n1 kubectl delete ns', ['echo a b', 'kubectl delete ns a b']],
    ['find . -name "*.sql" -exec psql -f {} ;', ['find . -name *.sql -exec psql -f {}', 'psql -f **/*.sql']],
    ['bash -c "cd a && git push"', ['cd a', 'git push']],
    ['bash -c "dropdb $NAME"', ['dropdb ?']],
    ['eval "dropdb $NAME"', ['dropdb ?']],
    ['f() { dropdb "$1"; }; f shop', ['f shop', 'dropdb shop']],
    ['for one in a b; do git push origin ":$one"; done', ['git push origin :a', 'git push origin :b']],
    ['RAILS_ENV=test bin/rails db:drop', ['env RAILS_ENV=test', 'rails db:drop']],
    ['export AWS_PROFILE=prod; terraform apply', ['env AWS_PROFILE=prod', 'terraform apply']],
    ['env FOO=1 git -C sub push --force', ['env FOO=1', 'git -C sub push --force']],
    ['python3 manage.py flush', ['manage.py flush']],
    ['python -m alembic downgrade base', ['alembic downgrade base']],
    ['php -d memory_limit=1G artisan migrate:fresh', ['artisan migrate:fresh']],
    ['python3 -c "print(1)"', ['python3 -c print(1)']],
    ['npx prisma migrate reset', ['prisma migrate reset']],
    ['npm --prefix web exec -- prisma migrate reset', ['prisma migrate reset']],
    ['pnpm -F web exec tsc', ['pnpm -F web exec tsc', 'tsc']],
    ['uv run python manage.py flush', ['manage.py flush']],
    ['yarn prisma migrate reset', ['yarn prisma migrate reset', 'prisma migrate reset']],
    ['yarn dlx prisma migrate reset', ['yarn dlx prisma migrate reset', 'prisma migrate reset']],
    ['kubectl run probe --image=busybox', ['kubectl run probe --image=busybox']],
    ['/usr/bin/git.exe push', ['git push']],
    ['ssh -p 22 web-1 "sudo systemctl restart web && ls"', ['systemctl restart web', 'ls']],
    ["ssh web-1 <<'EOF'\nsystemctl restart web\nEOF", ['systemctl restart web']],
    ['docker exec -it -u postgres db dropdb shop', ['dropdb shop']],
    ['docker compose -f a.yml exec -T db bash -c "dropdb $NAME"', ['dropdb ?']],
    ['ssh web-1 \'docker exec db sh -c "dropdb shop"\'', ['dropdb shop']],
    ['kubectl -n x exec pod/web -- rails db:drop', ['rails db:drop']],
    ['mise exec node@22 -- npm test', ['npm test']],
    ['mise run test -- -run TestCart', ['mise run test -- -run TestCart']],
    ['heroku run -a shop rails db:reset', ['rails db:reset']],
    ['fly ssh console -C "rails db:reset"', ['rails db:reset']],
    ['git commit -m "unfinished', ['git commit -m unfinished']],
    ['', []],
  ])('%s', (line, expected) => {
    expect(told(line)).toEqual(expected)
  })

  it('is told with what has started it', () => {
    expect(invocationsIn('ssh web-1 docker exec db dropdb shop').at(-1)).toMatchObject({
      program: 'dropdb',
      startedBy: { program: 'docker', startedBy: { program: 'ssh' } },
    })
  })

  it('comes to an end, however deep or often it starts more', () => {
    const deep = Array.from({ length: 40 }).reduce((line) => `ssh a ${line}`, 'ls')
    expect(invocationsIn(String(deep)).length).toBeLessThan(10)
    const many = Array.from({ length: 5000 }, (_, at) => `ssh a${at} ls`).join('; ')
    expect(invocationsIn(many).length).toBeLessThanOrEqual(500)
  })
})

describe('Code for a program', () => {
  const code = (line: string) => invocationsIn(line).flatMap(codeGivenTo)

  it('is what a database or an interpreter is given', () => {
    expect(code('psql shop -c "drop table carts"')).toContain('drop table carts')
    expect(code("psql shop <<'SQL'\ndrop table carts;\nSQL")).toContain('drop table carts;\n')
    expect(code('psql shop <<SQL\ndrop table $T;\nSQL')).toContain(`drop table ${UNKNOWN};\n`)
    expect(code("docker exec -i db psql shop <<'SQL'\ndrop table carts;\nSQL")).toContain('drop table carts;\n')
    expect(code('echo "drop table carts" | psql shop')).toContain('drop table carts')
  })

  it.each([
    'echo "drop table carts"',
    'grep -rn "drop table" db',
    'git commit -m "drop table carts"',
    "cat > down.sql <<'SQL'\ndrop table carts;\nSQL",
    "sed -i 's/drop table/truncate/' down.sql",
    'sudo timeout 9 grep "drop table" down.sql',
    'ssh web-1 grep "drop table" down.sql',
  ])('is not what is only text: %s', (line) => {
    expect(code(line)).toEqual([])
  })
})
