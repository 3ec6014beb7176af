import * as v from 'valibot'
import { boundedText, defineVerb, HermesError, text, texts } from '../../../0-contracts/src/index.js'
import { clip, escapeControls } from '../../../0-text/src/index.js'
import { askTheUser } from './user-answer.js'

/** Core tool: asks the user a question. */
export const askUser = defineVerb({
  name: 'ask_user',
  vocabulary: 'core',
  description: 'Ask the user a question and wait for the answer: one of the options where there are any, else text.',
  category: 'user_interaction',
  type: 'meta',
  constraints: ['default_option is one of options when both are given.', 'Not asked in a dry run.'],
  primary: 'question',
  args: v.strictObject({
    question: boundedText('The question, 1 to 500 characters, for example "Which port should it use?".', {
      min: 1, max: 500,
    }),
    options: v.optional(texts('What may be answered, for example ["yes", "no"]. Without it any text.')),
    default_option: v.optional(text('The answer when the user just presses enter.')),
  }),
  check: ({ options, default_option: defaultOption }) => checkOptions(options, defaultOption),
  result: v.strictObject({ answer: text('What the user answered: one of options where there are any.') }),
  examples: [
    { question: 'Which port should the server use?', default_option: '8080' },
    { question: 'Which database?', options: ['postgres', 'sqlite'], default_option: 'sqlite' },
  ],
  async handler({ question, options, default_option: defaultOption }, { ui, signal }) {
    const instead = 'Decide yourself, and say what you assumed; or ask in your answer.'
    const answer = await askTheUser('ask_user', ui, instead, signal, (user) => user.ask({
      question, ...(options && { options }), ...(defaultOption !== undefined && { defaultOption }),
    }, signal))
    // The answer comes from the calling program, so check it.
    if (typeof answer === 'string' && (options === undefined || options.includes(answer))) return { answer }
    throw new HermesError('NO_USER', 'ask_user: the answer is none of the options', {
      hint: 'The program that answers for the user is wrong; decide yourself, and say what you assumed.',
    })
  },
})

function checkOptions(options: readonly string[] | undefined, defaultOption: string | undefined): void {
  const invalid = (problem: string, hint: string) => (
    new HermesError('INVALID_PARAMETER', `ask_user: ${problem}`, { hint })
  )
  if (options === undefined) return
  if (options.length === 0) throw invalid('options is empty', 'Name the options, or leave options out for any text.')
  if (new Set(options).size < options.length || options.some(option => option.trim() === '')) {
    throw invalid('options must differ and hold text', 'Name each option once.')
  }
  if (defaultOption !== undefined && !options.includes(defaultOption)) {
    throw invalid(
      `default_option '${escapeControls(clip(defaultOption, 80))}' is none of the options`,
      `Options: ${clip(options.map((option) => escapeControls(option)).join(', '), 300)}.`,
    )
  }
}
