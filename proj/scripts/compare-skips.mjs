/**
 * Compares vitest's JSON report of a machine that has all programs with that of a bare one: each test whose title says
 * what it needs has to run in the first and to be skipped in the second, and each other test has to run in both.
 * Prints every test that does not, and exits with 1 where there is one.
 */
import { readFileSync } from 'node:fs'

const NEEDS = / \(needs ([^()]+)\)/g
/** On every machine that the gate runs on: packages of npm, and util-linux with what it makes. */
const EVERYWHERE = new Set(['node-pty', 'ripgrep', 'namespaces'])
/** @returns whether a test, or a group it is in, says that it needs a program */
const needsProgram = (title) => (
  [...title.matchAll(NEEDS)].flatMap(([, names]) => names.split(', ')).some((name) => !EVERYWHERE.has(name))
)

/** @returns for each test whether it ran, by file and name; tests of the same name each count */
function runsOf(report) {
  const counts = new Map()
  const runs = new Map()
  for (const { name: file, assertionResults } of JSON.parse(readFileSync(report, 'utf8')).testResults) {
    for (const { fullName, status } of assertionResults) {
      const title = `${file.replace(/.*\/proj\//, 'proj/')} > ${fullName}`
      const count = (counts.get(title) ?? 0) + 1
      counts.set(title, count)
      runs.set(count === 1 ? title : `${title} (${count})`, ['passed', 'failed'].includes(status))
    }
  }
  return runs
}

const [complete, bare] = process.argv.slice(2).map(runsOf)
const problems = []
for (const [title, hasRun] of complete) {
  if (!hasRun) problems.push(`skipped although everything is installed: ${title}`)
  else if (!bare.has(title)) problems.push(`missing on the bare machine: ${title}`)
  else if (needsProgram(title) && bare.get(title)) problems.push(`ran without what it says it needs: ${title}`)
  else if (!needsProgram(title) && !bare.get(title)) problems.push(`skipped without saying what it needs: ${title}`)
}
for (const title of bare.keys()) if (!complete.has(title)) problems.push(`only on the bare machine: ${title}`)

const skipped = [...bare.values()].filter((hasRun) => !hasRun).length
console.log(`${complete.size} tests; ${skipped} skipped on the bare machine; ${problems.length} where they must not be`)
for (const problem of problems) console.log(`  ${problem}`)
process.exitCode = problems.length === 0 ? 0 : 1
