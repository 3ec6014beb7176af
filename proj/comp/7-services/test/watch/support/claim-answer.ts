/** Claims the answer of the hash given in the root given, and prints who has it. */
import { AppliedAnswers } from '../../../src/watch/applied-answers.js'

const [root = '', hash = ''] = process.argv.slice(2)
const taken = new AppliedAnswers(root).claim(hash, 'run-1', '/in/a.md')
process.stdout.write('how' in taken ? taken.how : 'claimed')
