import { readdirSync } from 'node:fs'
import { runGoldens } from '../../verbs/test/golden-harness.js'

const directory = new URL('../test-data/', import.meta.url)
for (const name of readdirSync(directory)) if (name.endsWith('.cases.md')) runGoldens(new URL(name, directory))
