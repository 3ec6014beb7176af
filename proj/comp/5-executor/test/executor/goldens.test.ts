import { readdirSync } from 'node:fs'
import { runGoldens } from './run-goldens.js'

/** Runs under a harness of its own. */
const OTHERS = ['verb-executor.cases.md']
const directory = new URL('../../test-data/executor/', import.meta.url)
for (const name of readdirSync(directory)) {
  if (name.endsWith('.cases.md') && !OTHERS.includes(name)) runGoldens(new URL(name, directory))
}
