import { z } from 'zod'
import { route } from './route.ts'

export const linkRoutes = {
  make: route({
    method: 'POST',
    path: '/api/links',
    summary: 'Makes a link that lets one browser in, once, within two minutes: what `grove open` opens.',
    person: true,
    answer: z.strictObject({ path: z.string().describe('Behind the address of the server') }),
  }),
}
