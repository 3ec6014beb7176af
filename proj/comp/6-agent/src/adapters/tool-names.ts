import { toolName, type VerbRegistry } from '../../../1-registry/src/index.js'

/** What the interfaces take of a name, in characters. */
const LONGEST = 64
const HASH = 8

/**
 * The name under which a verb is offered: its name for function calling, which a registry finds again; a longer one
 * (tools of other servers have such) is cut, with a hash of the whole at its end.
 */
export function offeredName(verb: string): string {
  const name = toolName(verb)
  return name.length <= LONGEST ? name : `${name.slice(0, LONGEST - HASH - 1)}_${hash(verb)}`
}

/** The verb that is meant by a name in a call; the name itself where a registry finds it by that, or there is none. */
export function calledVerb(name: string, registry: VerbRegistry): string {
  if (typeof name !== 'string' || name.length !== LONGEST || registry.has(name)) return name
  return registry.names().find((verb) => offeredName(verb) === name) ?? name
}

/** FNV-1a, 32 bits, as 8 hexadecimal digits. */
function hash(text: string): string {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return (value >>> 0).toString(16).padStart(HASH, '0')
}
