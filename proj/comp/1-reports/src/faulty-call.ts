import { subjectOf } from './subject.js'

/** `key = "value"`, `key: value`, `"key": "value"`, and what is nearly one of them: the block did not parse. */
const ASSIGNMENT = /(?<![\w.-])["']?([A-Za-z_]\w{0,40})["']?[ \t]*(?::[ \t]*=|=|:)[ \t]*(?:"((?:[^"\\\n]|\\.){0,400})"|'([^'\n]{0,400})'|\u201c([^\u201d\n]{0,400})\u201d|([\w./~@-][^\n,}"']{0,400}))/g
/** Below it stands text of several lines, which may assign anything. */
const TEXT_BELOW = /<<|:[ \t]*[|>][-+\d]*[ \t]*$/m
/** How the formats call what runs. */
const VERBS = ['action', 'verb', 'name', 'tool', 'function']

/** Which verb a block that did not parse was to call, about what, as far as its text tells. */
export function faultyCall(source: string): string {
  const text = source.slice(0, TEXT_BELOW.exec(source)?.index ?? source.length)
  const params: Record<string, string> = {}
  for (const [, key = '', ...values] of text.matchAll(ASSIGNMENT)) {
    const value = values.find((each) => each !== undefined) ?? ''
    if (!Object.hasOwn(params, key) && key !== '__proto__') params[key] = value.trim()
  }
  const verb = VERBS.map((name) => (Object.hasOwn(params, name) ? params[name] : undefined))
    .find((value) => value !== undefined && /^[\w.-]{2,60}$/.test(value)) ?? ''
  return [verb, subjectOf(params)].filter((part) => part !== '').join(' ')
}
