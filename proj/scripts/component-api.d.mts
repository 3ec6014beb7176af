export type Names = Record<string, string[]>
export interface ComponentApi {
  dependencies: Record<string, Names | '*'>
  exports: Names
  /** Lines of signatures of what others use. */
  signatures?: string[]
}
export function listComponents(root: string): string[]
export function readSources(root: string): (component: string) => ComponentApi
export function writeApiDoc(markdown: string, api: ComponentApi): string
export function checkApiDoc(markdown: string, actual: ComponentApi): string[]
