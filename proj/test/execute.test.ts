import { runGoldens } from '../comp/executor/test/run-goldens.js'

runGoldens(new URL('../../test-data/execute.md', import.meta.url))
