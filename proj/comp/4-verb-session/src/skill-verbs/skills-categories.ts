import * as v from 'valibot'
import { defineVerb, integer, text } from '../../../0-contracts/src/index.js'
import { sessionSkills, SKILLS } from './session-skills.js'

/** Lists the categories of skills. */
export const skillsCategories = defineVerb({
  ...SKILLS,
  name: 'skills_categories',
  description: 'List the categories of skills: documents that tell how to do something. '
    + 'skills_list shows what is in one.',
  args: v.strictObject({}),
  result: v.array(v.strictObject({
    category: text('Its name.'), skills: integer('How many skills are in it.', 0),
  })),
  examples: [{}],
  async handler(_args, context) {
    const counts = new Map<string, number>()
    for (const { category } of (await sessionSkills(context)).skills) {
      counts.set(category, (counts.get(category) ?? 0) + 1)
    }
    return [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([category, skills]) => ({ category, skills }))
  },
})
