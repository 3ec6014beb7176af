/**
 * Prints `N passed, N failed` from vitest's JSON report, and fails where a test failed or none ran.
 * Arguments: the report, which may be missing, and the exit code of what should have written it.
 */
import { existsSync, readFileSync } from 'node:fs'

const [path, status] = process.argv.slice(2)
const NOTHING_RAN = { numPassedTests: 0, numFailedTests: 0, testResults: [] }
const report = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : NOTHING_RAN
// A file that cannot be loaded fails without any test.
const brokenFiles = report.testResults.filter(file => file.status === 'failed' && file.assertionResults.length === 0)
const passed = report.numPassedTests
const found = report.numFailedTests + brokenFiles.length
const failed = found === 0 && (passed === 0 || status !== '0') ? 1 : found

console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
