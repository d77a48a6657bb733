import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { LiveMessage } from '../live.ts'
import { REFUSALS } from '../refusal.ts'
import { Refusal } from './refusal.ts'
import type { Route } from './route.ts'
import { api } from './routes.ts'

const routes: Route[] = Object.values(api).flatMap((noun) => Object.values<Route>(noun))
const named = routes.map((route) => [`${route.method} ${route.path}`, route] as const)

describe('the declared routes', () => {
  it('have each an address of their own', () => {
    expect(new Set(named.map(([name]) => name)).size).toBe(routes.length)
  })

  it.each(named)('%s declares the parameters of its path, and says what it does in sentences', (_, route) => {
    const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
    expect(Object.keys(route.params?.shape ?? {})).toEqual(inPath)
    expect(route.summary).toMatch(/^[A-Z].*\.$/)
  })

  it.each(named)('%s spells every field in camelCase', (_, { params, query, body, answer }) => {
    for (const schema of [params, query, body, answer]) {
      for (const name of schema ? fieldsOf(schema) : []) expect(name).toMatch(/^[a-z][a-zA-Z]*$/)
    }
  })

  it.each(named)('%s lets no undeclared field into its answer', (_, { answer }) => {
    expect(openObjects(z.toJSONSchema(answer))).toEqual([])
  })
})

it('live messages spell every field in camelCase, and have no undeclared ones', () => {
  for (const name of fieldsOf(LiveMessage)) expect(name).toMatch(/^[a-z][a-zA-Z]*$/)
  expect(openObjects(z.toJSONSchema(LiveMessage))).toEqual([])
})

it('a refusal has one of the known codes', () => {
  const refusal = { status: 'error', code: 'not_found', message: 'a', suggestion: 'b' }
  expect(Refusal.safeParse(refusal).success).toBe(true)
  expect(Refusal.safeParse({ ...refusal, code: 'nope' }).success).toBe(false)
  expect(Object.keys(REFUSALS)).toContain(refusal.code)
})

function fieldsOf(schema: z.ZodType): string[] {
  return objectsIn(z.toJSONSchema(schema, { io: 'input' })).flatMap(({ properties }) => Object.keys(properties ?? {}))
}

function openObjects(json: unknown): object[] {
  return objectsIn(json).filter(({ additionalProperties }) => additionalProperties !== false)
}

/** Every object schema in a JSON Schema, at whatever depth. */
function objectsIn(json: unknown): ObjectSchema[] {
  if (typeof json !== 'object' || json === null) return []
  const own = 'type' in json && json.type === 'object' ? [json as ObjectSchema] : []
  return [...own, ...Object.values(json).flatMap(objectsIn)]
}

interface ObjectSchema {
  properties?: object
  additionalProperties?: unknown
}
