export type Layout = 'project' | 'workspace' | 'pnpm' | 'tools' | 'global'
export interface LaidOut {
  project: string
  cwd: string
  place: string
  command: string
  modules: string[]
}
export const LAYOUTS: Layout[]
export function layOut(layout: Layout, directory: string): LaidOut
