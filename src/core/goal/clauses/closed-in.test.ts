import { describe, expect, it } from 'vitest'
import { invocationsIn } from '../../../../test/support/shell.ts'
import { commandForbiddenBy } from '../command-limits.ts'
import { hear, limitOn, ordersIn } from '../orders.ts'

function closes(words: string, path: string): boolean {
  return limitOn(ordersIn(words), path) !== undefined
}

describe('what is closed in words that no pattern knows', () => {
  it.for([
    ['Fix the totals in src/store/cart.ts. The server is not part of this, so keep out of server/.', 'server/index.ts'],
    ['you may rename what you like in src/net, with one exception: Protocol.h', 'src/net/Protocol.h'],
    ['bump the class for staging and dev. prod NOT yet, we do that on thursday', 'envs/prod/main.tf'],
    ['notebooks/ is off limits and so is dags/', 'dags/daily.py'],
    ['Am Helm-Chart wird heute auch nix geändert', 'deploy/helm/values.yaml'],
    ['Die Tests lässt du bitte so, wie sie sind.', 'tests/cart.test.ts'],
    ['Il manifest non va toccato.', 'app/src/main/AndroidManifest.xml'],
    ['Arréglalo en src/store/cart.ts y no te metas con el servidor.', 'server/index.ts'],
    ['Não encoste no billing.', 'internal/billing/invoice.go'],
    ['Modułów (modules/) proszę nie ruszać, to osobny temat.', 'modules/vpc/main.tf'],
    ['Замени логгер везде, кроме gen/.', 'gen/api.pb.go'],
    ['Oprav src/store/cart.ts, na server/ nesahej.', 'server/index.ts'],
    ['src/store/cart.ts dosyasını düzelt, server/ klasörüne dokunma.', 'server/index.ts'],
    ['internal/billing 保持原样。', 'internal/billing/invoice.go'],
  ])('%s', ([words, path]) => {
    expect(closes(words!, path!)).toBe(true)
  })
})

describe('where all but a place is closed', () => {
  it.for([
    ['fix the rounding in internal/billing only pls', 'internal/store/pg.go', 'internal/billing/invoice.go'],
    ['Stick to crates/import, it is a small fix.', 'crates/core/src/lib.rs', 'crates/import/src/mt940.rs'],
    ['I want the fix in water.frag and in no other file', 'assets/sky.frag', 'assets/water.frag'],
    ['Обнови только docs/runbook.md, остальное не менять.', 'Makefile', 'docs/runbook.md'],
    ['Nie zmieniaj niczego poza katalogiem reports/.', 'core/encoding.py', 'reports/pdf.py'],
    ['docs/runbook.md だけ更新してください。', 'cmd/main.go', 'docs/runbook.md'],
  ])('%s', ([words, closed, open]) => {
    expect([closes(words!, closed!), closes(words!, open!)]).toEqual([true, false])
  })
})

describe('what is made of the same words and closes nothing', () => {
  it.for([
    ["don't change the signature in src/api/client.ts, only its body", 'src/api/client.ts'],
    ['Ускорь List.swift, Detail.swift не трогай.', 'Sources/UI/List.swift'],
    ['List.swift 를 개선하고 Detail.swift 는 수정하지 마세요.', 'Sources/UI/List.swift'],
    ["validators.py isn't strict enough, letters are not rejected", 'patients/validators.py'],
    ['avoid the full clear in display.c', 'src/display.c'],
    ['make plan.yml run only on PRs that touch envs/, nothing else should trigger it', 'README.md'],
    ['Nothing outside of src/api imports fetch directly - keep it so with a lint rule', 'package.json'],
    ['Users must not be able to edit orders after payment.', 'src/orders.ts'],
    ['then the taboo on app/services is gone, fix it there', 'app/services/importer.rb'],
    ['in OrderController only touch the store() method', 'app/Http/Controllers/OrderController.php'],
  ])('%s', ([words, path]) => {
    expect(closes(words!, path!)).toBe(false)
  })
})

describe('a deed that the user forbids by its name', () => {
  it('is a limit on the command that does it, until they ask for it', () => {
    const orders = ordersIn('Fix the port in the README. Do not commit, I will do that.')
    const forbidden = (limits: string[], command: string) =>
      commandForbiddenBy(limits, invocationsIn(command)) !== undefined
    expect(forbidden(orders.constraints, 'git add -A && git commit -m "docs: port"')).toBe(true)
    expect(forbidden(orders.constraints, 'git log --grep commit')).toBe(false)
    expect(forbidden(orders.constraints, 'git -C sub -c user.name=a "commit" -m x')).toBe(true)
    expect(forbidden(orders.constraints, 'sh -c "git add . && git commit -m x"')).toBe(true)
    expect(forbidden(orders.constraints, 'echo "git commit -m x"')).toBe(false)
    expect(forbidden(orders.constraints, "cat > HOWTO.md <<'END'\ngit commit -m x\nEND")).toBe(false)
    expect(limitOn(orders, 'README.md')).toBeUndefined()
    expect(forbidden(hear(orders, 'ok, commit it').constraints, 'git commit -m x')).toBe(false)
    expect(forbidden(ordersIn("don't push to main").constraints, 'git push origin fix')).toBe(false)
    expect(forbidden(ordersIn('the file is not committed').constraints, 'git commit')).toBe(false)
    const looked = ordersIn('README: mention `make lint`. Do not commit, I want to look at it first.')
    expect(limitOn(looked, 'README.md')).toBeUndefined()
    expect(forbidden(looked.constraints, 'git commit -qm lint')).toBe(true)
    const own = ordersIn("Raise the count in dev from 2 to 3. Plan only, I'll apply it myself")
    expect(limitOn(own, 'envs/dev/main.tf')).toBeUndefined()
    expect(forbidden(own.constraints, 'terraform apply')).toBe(true)
    expect(ordersIn('when I push it myself it fails, fix it').constraints).toEqual([])
    const ops = ordersIn(
      'Add the bucket. Plan in dev, but nothing in envs/prod changes and nothing gets applied anywhere.',
    )
    expect(forbidden(ops.constraints, 'cd envs/dev && terraform apply -auto-approve plan.bin')).toBe(true)
    expect(forbidden(ops.constraints, 'cd envs/dev && terraform plan -out=plan.bin')).toBe(false)
  })
})
