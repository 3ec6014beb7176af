/**
 * Compares vitest's JSON report of a bare machine with those of one that has all programs: of the tests that programs
 * can change, and of the campaign. Each test whose title says what it needs has to be skipped in the first and to run
 * in one of the others; each other test has to run in the first, and in the second where that has its file. Those of
 * the command run in the second alone; the campaign has more cases, and some in a larger size. Prints every test that
 * does not, and exits with 1 where there is one.
 */
import { readFileSync } from 'node:fs'

const NEEDS = / \(needs ([^()]+)\)/g
/** On every machine that the gate runs on: packages of npm, and util-linux with what it makes. */
const EVERYWHERE = new Set(['node-pty', 'ripgrep', 'namespaces'])
const OF_THE_COMMAND = 'proj/comp/8-cli/'
/** @returns whether a test, or a group it is in, says that it needs a program */
const needsProgram = (title) => (
  [...title.matchAll(NEEDS)].flatMap(([, names]) => names.split(', ')).some((name) => !EVERYWHERE.has(name))
)
const fileOf = (name) => name.replace(/.*\/proj\//, 'proj/')

/** @returns the tests of a report by file and name, each with whether it ran; tests of the same name each count */
function runsOf(path) {
  const counts = new Map()
  const runs = new Map()
  for (const { name, assertionResults } of JSON.parse(readFileSync(path, 'utf8')).testResults) {
    const file = fileOf(name)
    for (const { fullName, status } of assertionResults) {
      const title = `${file} > ${fullName}`
      const count = (counts.get(title) ?? 0) + 1
      counts.set(title, count)
      runs.set(count === 1 ? title : `${title} (${count})`, { file, hasRun: ['passed', 'failed'].includes(status) })
    }
  }
  return runs
}

const [bare, again, campaign] = process.argv.slice(2).map(runsOf)
const complete = new Map([...again, ...campaign])
const filesRunAgain = new Set([...again.values()].map(({ file }) => file))
const problems = []
for (const [title, { file, hasRun }] of complete) {
  const onBare = bare.get(title)
  if (!hasRun) problems.push(`skipped although everything is installed: ${title}`)
  else if (onBare === undefined) {
    if (!campaign.has(title) && !file.startsWith(OF_THE_COMMAND)) problems.push(`missing on the bare machine: ${title}`)
  } else if (needsProgram(title) && onBare.hasRun) problems.push(`ran without what it says it needs: ${title}`)
  else if (!needsProgram(title) && !onBare.hasRun) problems.push(`skipped without saying what it needs: ${title}`)
}
for (const [title, { file, hasRun }] of bare) {
  if (complete.has(title)) continue
  if (filesRunAgain.has(file)) problems.push(`only on the bare machine: ${title}`)
  else if (!hasRun) problems.push(`runs on no machine: ${title}`)
}

const skipped = [...bare.values()].filter(({ hasRun }) => !hasRun).length
console.log(`${complete.size} tests; ${skipped} skipped on the bare machine; ${problems.length} where they must not be`)
for (const problem of problems) console.log(`  ${problem}`)
process.exitCode = problems.length === 0 ? 0 : 1
