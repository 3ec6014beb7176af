/**
 * For each class of block that cannot be read or run: whether the feedback lets a second answer mend only that block,
 * and how many tokens it takes against asking for the whole answer again. The answers are recorded
 * (proj/comp/6-agent/test-data/agent/repair.cases.md), so the figures are of what has to be written, not of how well
 * a model does it. Each class is also mended from the text of the reply alone, by a reader that thinks nothing
 * (repair/mender.ts), and by nothing but the fixes of its errors, which takes no turn of a model.
 *
 * Usage: node proj/trials/repair.mjs [--write] [--show]
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { bundleEntry } from './bundle-entry.mjs'

const CORPUS = new URL('../comp/6-agent/test-data/agent/repair.cases.md', import.meta.url)
const OF_REPLIES = new URL('./repair/reply.cases.md', import.meta.url)
const RESULTS = new URL('./results/repair.json', import.meta.url)

/** Least share of classes that fixes alone mend. */
const WITHOUT_TURN = 0.3

const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, show: { type: 'boolean', default: false } },
})
const { playFromReplies, playRepairs } = await import(await bundleEntry('repair/entry.ts', [/^openai/]))
const repairs = await playRepairs(CORPUS)
const ofReplies = await playFromReplies([CORPUS, OF_REPLIES], values.show ? text => console.error(text) : undefined)
const sum = (all, name) => all.reduce((total, each) => total + each[name], 0)
const share = (part, whole) => Number((part / whole).toFixed(3))
const withoutTurn = outcome => ofReplies.filter(each => each.withoutTurn === outcome).length
const figures = {
  classes: repairs.length, mended: repairs.filter(({ mended }) => mended).length,
  regeneratedTokens: sum(repairs, 'regenerated'), wholeAnswerAgainTokens: sum(repairs, 'whole'),
  feedbackTokens: sum(repairs, 'feedback'), regeneratedShare: share(sum(repairs, 'regenerated'), sum(repairs, 'whole')),
  fromReply: {
    classes: ofReplies.length, mended: ofReplies.filter(({ mended }) => mended).length,
    withoutTurn: withoutTurn('mended'), withoutTurnShare: share(withoutTurn('mended'), ofReplies.length),
    withoutTurnWrong: withoutTurn('wrong'), givenValues: sum(ofReplies, 'given'),
    replyTokens: sum(ofReplies, 'reply'), secondAnswerTokens: sum(ofReplies, 'second'),
    wholeAnswerAgainTokens: sum(ofReplies, 'whole'),
    byClass: Object.fromEntries(ofReplies.map(({ name, ...rest }) => [name, rest])),
  },
  byClass: Object.fromEntries(repairs.map(({ name, ...rest }) => [name, rest])),
}
console.log(JSON.stringify(figures, null, 2))
if (values.write) writeFileSync(RESULTS, `${JSON.stringify(figures, null, 2)}\n`)
const { fromReply } = figures
const isWell = figures.mended === figures.classes && fromReply.mended === fromReply.classes
  && fromReply.withoutTurnWrong === 0 && fromReply.withoutTurnShare >= WITHOUT_TURN
process.exitCode = isWell ? 0 : 1
