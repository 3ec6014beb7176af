/**
 * Prints `N passed, N failed` from vitest's JSON reports, and fails where a test failed or none ran.
 * Arguments: the exit code of what should have written them, and the reports, which may be missing. A test that is in
 * several of them counts once as passed, and as failed where it failed in any.
 */
import { existsSync, readFileSync } from 'node:fs'

const [status, ...paths] = process.argv.slice(2)
const outcomes = new Map()
for (const path of paths.filter((each) => existsSync(each))) {
  for (const { name: file, status: outcome, assertionResults } of JSON.parse(readFileSync(path, 'utf8')).testResults) {
    // A file that cannot be loaded fails without any test.
    if (outcome === 'failed' && assertionResults.length === 0) outcomes.set(file, 'failed')
    const counts = new Map()
    for (const { fullName, status: result } of assertionResults) {
      const count = (counts.get(fullName) ?? 0) + 1
      counts.set(fullName, count)
      const key = `${file} > ${fullName} > ${count}`
      if (['passed', 'failed'].includes(result) && outcomes.get(key) !== 'failed') outcomes.set(key, result)
    }
  }
}
const passed = [...outcomes.values()].filter((outcome) => outcome === 'passed').length
const found = outcomes.size - passed
const failed = found === 0 && (passed === 0 || status !== '0') ? 1 : found

console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
