import type { Definition } from './definition.js'
import type { LanguageId } from './language-id.js'

/** A name as a call gives it: `name`, or with (some of) its containers `Class.name`, `module::Class::name`. */
export interface WantedName {
  /** Without containers. */
  name: string
  /** With those that were written, as `fullName` writes them. */
  full: string
  /** In PHP variables are also written with `$`, which is no part of their name. */
  in(language: LanguageId): WantedName
  matches(definition: Definition): boolean
}

export function readName(written: string): WantedName {
  const dotted = written.replaceAll('::', '.')
  const name = dotted.slice(dotted.lastIndexOf('.') + 1)
  return {
    name,
    full: dotted,
    in: (language) => readName(language === 'php' ? dotted.replaceAll(/(^|\.)\$/g, '$1') : dotted),
    matches: (definition) => {
      const full = fullName(definition)
      return definition.name === dotted || full === dotted || (definition.name === name && full.endsWith(`.${dotted}`))
    },
  }
}

export function fullName({ name, container }: Pick<Definition, 'name' | 'container'>): string {
  return container === undefined ? name : `${container}.${name}`
}
