import * as v from 'valibot'
import { defineVerb, described, HermesError, text } from '../../../0-contracts/src/index.js'
import { sessionSkills, SKILLS } from './session-skills.js'

/** Lists skills, of a category if one is given. */
export const skillsList = defineVerb({
  ...SKILLS,
  name: 'skills_list',
  description: 'List skills with what each is for. skill_view shows one.',
  primary: 'category',
  args: v.strictObject({ category: v.optional(text('Only those of this category.')) }),
  result: v.array(v.strictObject({
    name: text('Its name, for skill_view.'),
    category: text('Its category.'),
    description: text('What it is for.'),
    source: described(v.picklist(['project', 'user']), 'Whose it is.'),
  })),
  examples: [{}, { category: 'general' }],
  async handler({ category }, context) {
    const { skills, problems } = await sessionSkills(context)
    const categories = [...new Set(skills.map(skill => skill.category))].sort()
    if (category !== undefined && skills.length > 0 && !categories.includes(category)) {
      throw new HermesError(
        'INVALID_PARAMETER', `skills_list: no category has the name '${category}'`,
        { hint: `Categories: ${categories.join(', ')}.` },
      )
    }
    if (problems.length > 0) {
      context.advise?.(`${problems.length} of the folders cannot be used; the user sees why with: hermes skills check`)
    }
    return skills.filter(skill => category === undefined || skill.category === category)
      .map(({ name, category: of, description, source }) => ({ name, category: of, description, source }))
  },
})
