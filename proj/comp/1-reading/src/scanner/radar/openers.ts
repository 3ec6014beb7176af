export interface Opener {
  name: string
  kind: 'own' | 'foreign'
  certain: boolean
  find: string
  opens: (line: string, at: number) => boolean
  hint: string
}
const first = (line: string, at: number): boolean => /^[\s>*+-]*(?:\d+[.)]\s+)?$/.test(line.slice(0, at))
export const OPENERS: readonly Opener[] = [
  { name: 'SHAM', kind: 'own', certain: true, find: '#!', opens: (line, at) => first(line, at) && /^#!(sham|nesl)/i.test(line.slice(at)), hint: '' },
  { name: 'call', kind: 'own', certain: true, find: '<tool_call>', opens: first, hint: '' },
  { name: 'function_calls', kind: 'foreign', certain: true, find: '<function_calls>', opens: first, hint: 'Write <tool_call>' },
]
