import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Against hanging only: on a machine that many share, stories of many processes take minutes.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // The same for what is waited for: a second is nothing on a busy machine.
    expect: { poll: { timeout: 120_000 } },
    pool: 'forks',
    // Most tests wait for processes that they have started, so no core is kept free for the runner.
    maxWorkers: '100%',
    globalSetup: ['test/support/run/setup.ts'],
    setupFiles: ['test/support/run/loopback-only.ts'],
    // In CI the counts are read back for the closing line.
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: 'node_modules/.cache/test-results.json' }]]
      : ['default'],
  },
})
