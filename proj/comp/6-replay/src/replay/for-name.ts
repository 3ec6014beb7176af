/** `{name}` in a path stands for the transcript's name without its extension. */
export function forName(path: string, name: string): string {
  const plain = name.replace(/\.(?:jsonl|ndjson|json|traj|md|markdown|txt)(?=$|#)/, '')
  // A function: `$&` in a name would stand for something else.
  return path.replaceAll('{name}', () => plain)
}
