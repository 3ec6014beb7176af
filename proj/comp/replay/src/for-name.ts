/** `{name}` in a path stands for the transcript's name without its extension. */
export function forName(path: string, name: string): string {
  return path.replaceAll('{name}', name.replace(/\.(?:jsonl|ndjson|json|traj|md|markdown|txt)(?=$|#)/, ''))
}
