import { describe, expect, it } from 'vitest'
import { invocationsIn } from '../../../../test/support/shell.ts'
import { checkProduction } from './production.ts'

describe('work on what runs for everybody', () => {
  const run = (cmd: string, goal: string) =>
    checkProduction({ kind: 'cmd', cmd, ran: invocationsIn(cmd) }, goal)?.reason.why

  it('is drift where a change of files is asked for', () => {
    const goal = 'the tax in cart.sql is rounded twice'
    expect(run('dbt run --target prod --select cart', goal)).toBe('the request does not ask for `dbt run`')
    expect(run('kubectl --context live -n shop rollout restart deploy/web', goal)).toContain('rollout')
    expect(run('ssh deploy@live-1 "systemctl restart shop"', goal)).toContain('ssh')
    expect(run("ssh deploy@live-1 <<'END'\nsed -i 's/9/10/' /srv/shop.env\nEND", goal)).toContain('ssh deploy@live-1')
    expect(run('export AWS_PROFILE=prod && terraform -chdir=db apply', goal)).toContain('terraform -chdir=db apply')
    expect(run('helm template shop | kubectl --context live apply -f -', goal)).toContain('kubectl')
    expect(run('kubectl config use-context live && kubectl apply -f web.yaml', goal)).toContain('kubectl apply')
    expect(run('dbt build --full-refresh --target prod', `${goal}, the prod run is at night`)).toContain(
      '--full-refresh',
    )
  })

  it('is not asked for by who keeps it for themselves', () => {
    const apply = 'terraform apply -auto-approve -var-file=env/prod.tfvars'
    expect(run(apply, 'make the database bigger. prepare the change, I apply after review')).toContain('apply')
    expect(run(apply, 'make the database bigger and apply it')).toBeUndefined()
    expect(run(apply, 'make the database bigger, can we apply that today?')).toBeUndefined()
  })

  it('is not where the request asks for it, nor to look, nor elsewhere', () => {
    expect(run('kubectl --context live rollout restart deploy/web', 'the shop is down!')).toBeUndefined()
    expect(run('helm upgrade shop ./chart -f prod.yaml', 'round the tax once and deploy it')).toBeUndefined()
    expect(
      run('RAILS_ENV=production bin/rails db:migrate', 'add a migration for the column and run it in production'),
    ).toBeUndefined()
    expect(run('kubectl --context live get pods', 'the tax is wrong')).toBeUndefined()
    expect(run('kubectl --context live rollout status deploy/web', 'the tax is wrong')).toBeUndefined()
    expect(run('kubectl config set-context live', 'the tax is wrong')).toBeUndefined()
    expect(run('kubectl --context prod apply --dry-run=server -f web.yaml', 'the probe is wrong')).toBeUndefined()
    expect(run('dbt run --target dev --select cart', 'the tax is wrong')).toBeUndefined()
    expect(run('ssh deploy@live-1 "systemctl status shop; docker logs shop"', 'the tax is wrong')).toBeUndefined()
    expect(run('echo "kubectl --context live apply -f web.yaml"', 'the probe is wrong')).toBeUndefined()
    expect(run('git commit -m "live: helm upgrade shop" && helm upgrade dev .', 'the probe is wrong')).toBeUndefined()
    expect(
      run("cat > README.md <<'END'\nterraform apply -var-file=prod.tfvars\nEND", 'the tax is wrong'),
    ).toBeUndefined()
    expect(run('dbt build --full-refresh --target prod', 'rebuild cart in prod')).toBeUndefined()
  })
})
