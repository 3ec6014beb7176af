import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: {
    alias: [{ find: /^fast-check$/, replacement: new URL('test/support/seeded-fast-check.ts', import.meta.url).pathname }],
  },
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['proj/**/test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Many tests wait for processes of their own: one worker less than cores would leave a machine of two half idle.
    maxWorkers: '100%',
  },
})
