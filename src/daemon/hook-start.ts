import { config } from 'zod'

// A hook process reads each shape once; compiling a reader for it, as zod does, would take longer than reading.
config({ jitless: true })
