/**
 * Prints `N passed, N failed` from vitest's JSON reports, and fails where a test failed or none ran. Before it, each
 * failed test with the beginning of its message: what the runner said of it may be far above, or cut off by a log.
 * Arguments: the exit code of what should have written them, and the reports, which may be missing. A test that is in
 * several of them counts once as passed, and as failed where it failed in any.
 */
import { existsSync, readFileSync } from 'node:fs'

/** Characters of the messages of a test, so that the log of many failures can be read. */
const MOST_OF_A_MESSAGE = 1_500

const [status, ...paths] = process.argv.slice(2)
const outcomes = new Map()
const failures = new Map()
for (const path of paths.filter((each) => existsSync(each))) {
  const { testResults } = JSON.parse(readFileSync(path, 'utf8'))
  for (const { name: file, status: outcome, message, assertionResults } of testResults) {
    // A file that cannot be loaded fails without any test.
    if (outcome === 'failed' && assertionResults.length === 0) {
      outcomes.set(file, 'failed')
      failures.set(`${file}, in ${path}`, [message])
    }
    const counts = new Map()
    for (const { fullName, status: result, failureMessages } of assertionResults) {
      const count = (counts.get(fullName) ?? 0) + 1
      counts.set(fullName, count)
      const key = `${file} > ${fullName} > ${count}`
      if (['passed', 'failed'].includes(result) && outcomes.get(key) !== 'failed') outcomes.set(key, result)
      if (result === 'failed') failures.set(`${key}, in ${path}`, failureMessages)
    }
  }
}
const passed = [...outcomes.values()].filter((outcome) => outcome === 'passed').length
const found = outcomes.size - passed
const failed = found === 0 && (passed === 0 || status !== '0') ? 1 : found

for (const [name, messages] of failures) {
  console.log(`FAILED ${name}\n${messages.join('\n').slice(0, MOST_OF_A_MESSAGE)}\n`)
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
