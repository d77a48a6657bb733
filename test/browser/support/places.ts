/** The views that the rail leads to. */
export const PLACES = ['/inbox', '/features', '/agents', '/memory', '/learnings', '/intents', '/insights', '/settings']
