/**
 * A process of its own that asks for names: `query.mjs ROOT [--definitions] NAME…`, without their uses where only
 * definitions are wanted. Prints the answers, the times and the memory.
 */
import { VerbExecutor } from '../../../dist/index.js'
import { ask } from './ask.mjs'

const [root, ...words] = process.argv.slice(2)
const withUses = words[0] !== '--definitions'
const names = withUses ? words : words.slice(1)
const executor = new VerbExecutor({ root })
const answers = []
const times = []
for (const name of names) {
  const start = performance.now()
  answers.push(await ask(executor, name, withUses))
  times.push(performance.now() - start)
}
process.stdout.write(JSON.stringify({ answers, times, maxRssKb: process.resourceUsage().maxRSS }))
