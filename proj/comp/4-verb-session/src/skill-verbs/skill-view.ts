import * as v from 'valibot'
import { defineVerb, described, text, texts } from '../../../0-contracts/src/index.js'
import { skillFile, skillFiles, skillText } from '../skills/index.js'
import { requireReadable, RULES, sessionSkills, skillNamed, SKILLS } from './session-skills.js'

/** Shows a skill, or one of its files. */
export const skillView = defineVerb({
  ...SKILLS,
  name: 'skill_view',
  description: 'Show a skill: its text, and which files go with it; or one of those files.',
  constraints: [...RULES, 'Files outside of the folder of the skill are not shown, also not by links.'],
  primary: 'name',
  args: v.strictObject({
    name: text('The skill, as skills_list names it.'),
    file: v.optional(text('A file of it, e.g. "references/api.md". Default: its SKILL.md.')),
  }),
  result: v.strictObject({
    name: text('The skill.'),
    source: described(v.picklist(['project', 'user']), 'Whose it is.'),
    file: v.optional(text('The file that is shown, where one was named.')),
    content: text('The text.'),
    tags: v.optional(texts('What it is about.')),
    related_skills: v.optional(texts('Other skills that go with it.')),
    files: v.optional(texts('Files that go with it, to be shown with file.')),
    version: v.optional(text('Its version.')),
  }),
  examples: [{ name: 'release-notes' }, { name: 'release-notes', file: 'templates/notes.md' }],
  async handler({ name, file }, context) {
    const skill = skillNamed('skill_view', name, await sessionSkills(context))
    requireReadable(skill, file ?? 'SKILL.md', context)
    const { source, tags, related, version } = skill
    if (file !== undefined) return { name, source, file, content: skillFile(skill, file) }
    return {
      name, source, content: await skillText(skill), tags: [...tags], related_skills: [...related],
      files: skillFiles(skill), ...(version !== undefined && { version }),
    }
  },
})
