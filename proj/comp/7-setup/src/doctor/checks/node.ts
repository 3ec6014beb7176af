import type { Check } from '../finding.js'

/** `engines` of package.json. */
export const NODE_NEEDED: readonly [number, number] = [20, 19]

export const checkNode: Check = async () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [neededMajor, neededMinor] = NODE_NEEDED
  const isEnough = major > neededMajor || (major === neededMajor && minor >= neededMinor)
  const detail = `${process.versions.node} (${process.platform} ${process.arch})`
  return [isEnough ? { id: 'node', status: 'ok', title: 'Node.js', detail } : {
    id: 'node', status: 'problem', title: 'Node.js', detail: `${detail}: too old`,
    fix: `Install Node.js ${NODE_NEEDED.join('.')} or newer: https://nodejs.org`,
  }]
}
