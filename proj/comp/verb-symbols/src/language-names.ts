/** For messages and descriptions. */
export const LANGUAGE_NAMES = 'TypeScript, JavaScript, Python, Go, Rust, Java, C, C++, C#, Ruby and PHP'
