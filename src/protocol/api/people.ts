import { z } from 'zod'
import { time } from './fields.ts'
import { route } from './route.ts'

const Person = z
  .strictObject({
    id: z.string(),
    name: z.string().nullable().describe('Null until they have given one'),
    pairedAt: time,
  })
  .meta({ id: 'Person', description: 'A person who works with this Grove in a browser of their own.' })

const Me = z.strictObject({
  id: z.string(),
  name: z.string().nullable(),
  isOwner: z.boolean().describe('The browser was let in without an invitation'),
})

export const peopleRoutes = {
  list: route({
    method: 'GET',
    path: '/api/people',
    summary: 'Lists who works with this Grove, and tells whose browser asks.',
    answer: z.strictObject({ me: Me, people: z.array(Person) }),
  }),
  name: route({
    method: 'POST',
    path: '/api/people/me',
    summary: 'Gives the person of this browser a name: comments, answers and sign-offs carry it from then on.',
    person: true,
    body: z.strictObject({ name: z.string().max(200) }),
    answer: z.strictObject({ me: Me }),
    refusals: ['bad_name', 'name_taken'],
  }),
  invite: route({
    method: 'POST',
    path: '/api/people/invitations',
    summary:
      'Makes a link that lets one browser in, once, within a day, as that of a teammate, who is asked for a name. A restart voids it.',
    person: true,
    body: z.strictObject({
      to: z
        .string()
        .max(500)
        .regex(/^\/(?!\/)[^\s?#]*$/)
        .default('/')
        .describe('The address that it leads to, such as that of a plan'),
    }),
    answer: z.strictObject({
      path: z.string().describe('Behind the address of the server'),
      addresses: z
        .array(z.string())
        .describe('Where this machine is reached from others; empty while only this machine can reach Grove'),
    }),
  }),
  remove: route({
    method: 'DELETE',
    path: '/api/people/:id',
    summary: 'Takes the pairing of a teammate back: their browser is not let in any more.',
    person: true,
    params: z.strictObject({ id: z.string() }),
    answer: z.strictObject({ removed: z.literal(true) }),
    refusals: ['person_not_found'],
  }),
}
