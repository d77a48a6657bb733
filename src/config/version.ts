/** Written into the bundle by scripts/build.mjs; sources run by the tests have none. */
declare const GROVE_VERSION: string | undefined

/** The version of this Grove. */
export const version = typeof GROVE_VERSION === 'string' ? GROVE_VERSION : '0.0.0'
