import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createWhole } from '../../../2-files/src/index.js'
import { caught, HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { NAME, SKILL_FILE } from './skill.js'

/**
 * Creates a skill from a template.
 *
 * @param folder of skills
 * @returns the path of its SKILL.md
 * @throws HermesError `INVALID_OPTION`, `EEXIST`
 */
export function newSkill(folder: string, name: string, category?: string): string {
  for (const word of [name, ...(category === undefined ? [] : [category])]) {
    if (NAME.test(word)) continue
    throw new HermesError('INVALID_OPTION', `No name for a skill: ${word}`, { hint: 'Use letters, digits, dots, '
      + '_ and -, at most 64.' })
  }
  const directory = join(folder, ...(category === undefined ? [] : [category]), name)
  const file = join(directory, SKILL_FILE)
  mkdirSync(directory, { recursive: true })
  caught(isNodeError, () => createWhole(file, template(name)), (error) => {
    throw error.code !== 'EEXIST' ? error
      : new HermesError('EEXIST', `${file} is there already`, { hint: 'Choose another name, or edit it.' })
  })
  return file
}

function template(name: string): string {
  return `---
name: ${JSON.stringify(name)}
description: What this is for, in one line; lists show it.
tags: []
related_skills: []
version: 1.0.0
---
# ${name}

When to use it, and how. What is longer goes into files beside this one, e.g. references/details.md, and templates/.
`
}
