import * as v from 'valibot'
import { boundedText, defineVerb, described, flag } from '../../../0-contracts/src/index.js'
import { askTheUser } from './user-answer.js'

/** Core tool: asks the user to confirm an action. */
export const confirmAction = defineVerb({
  name: 'confirm_action',
  vocabulary: 'core',
  description: 'Ask the user to agree to something before it is done, and wait for yes or no.',
  category: 'user_interaction',
  type: 'meta',
  constraints: [
    'Only a yes is an agreement; no answer is a no.',
    'It opens nothing: what needs an approval still asks for it.',
    'Not asked in a dry run.',
  ],
  primary: 'action_description',
  args: v.strictObject({
    action_description: boundedText('What is to be done, at least 10 characters, for example "Drop the table users".', {
      min: 10,
    }),
    destructive: flag('Whether it cannot be taken back. Default: false.', false),
  }),
  result: v.strictObject({
    confirmed: described(v.boolean(), 'True when the user agreed. False: do not do it.'),
  }),
  examples: [{ action_description: 'Delete the directory build with all it holds', destructive: true }],
  async handler({ action_description: description, destructive }, { ui, signal }) {
    const instead = 'Take it as a no: leave it, or describe it in your answer.'
    const confirmed = await askTheUser('confirm_action', ui, instead, signal, (user) => (
      user.confirm({ description, destructive }, signal)
    ))
    // Whatever else a program answers is no agreement.
    return { confirmed: confirmed === true }
  },
})
