/** After each file of tests that share a process: environment and working directory are as they were before it. */
import { afterAll, vi } from 'vitest'

const environment = { ...process.env }
const directory = process.cwd()

afterAll(() => {
  vi.unstubAllEnvs()
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
  if (process.cwd() !== directory) process.chdir(directory)
})
