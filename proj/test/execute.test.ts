import { runGoldens } from '../comp/5-executor/test/executor/run-goldens.js'

runGoldens(new URL('../../test-data/execute.md', import.meta.url))
