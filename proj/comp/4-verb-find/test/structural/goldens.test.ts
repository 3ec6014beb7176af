import { readdirSync } from 'node:fs'
import { runGoldens } from '../../../5-executor/test/verbs/golden-harness.js'

const directory = new URL('../../test-data/structural/', import.meta.url)
for (const name of readdirSync(directory)) if (name.endsWith('.cases.md')) runGoldens(new URL(name, directory))
