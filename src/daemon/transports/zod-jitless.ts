// A hook process reads each shape once; compiling a reader for it, as zod does by itself, would take longer than reading.
// Said this way because most hooks need no zod at all, and importing it would load it.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
