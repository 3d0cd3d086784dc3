type Edit = { find: string; replace: string }

/** What the second version of each example changes, so that the demo has effects to show: one gets worse. */
export const secondVersions: Readonly<Record<string, readonly Edit[]>> = {
  'parse-roman': [
    {
      find: "if (digits.includes(undefined)) throw new Error('Unknown letter in ' + text)",
      replace: `if (!/^M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})$/.test(text) || text === '')
          throw new Error('No Roman numeral: ' + text)`,
    },
  ],
  'csv-summary': [{ find: 'line.match(/"[^"]*"|[^,]+/g)', replace: "line.split(',')" }],
  'find-the-word': [
    {
      find: `for pass in $(seq 1 600); do
        echo "Pass $pass: nothing yet."
        sleep 0.5
      done`,
      replace: `for page in pages/[!i]*.txt; do
        echo "I read $page."
        if grep -q palimpsest "$page"; then basename "$page" > answer.txt; fi
      done`,
    },
    {
      find: `# One of these agents times out on purpose, to show the result: the run is errored and names the limit it reached, and
# its tests are unresolved, which is neither passed nor failed.
`,
      replace: '# Since this version, the exhaustive agent reads each page once and ends in time.\n',
    },
    { find: 'I compare every word with every other word, to be sure.', replace: 'I read every page, to be sure.' },
  ],
}

/** Throws an Error if the example no longer contains a text that its second version changes. */
export function toSecondVersion(id: string, yaml: string) {
  return (secondVersions[id] ?? []).reduce((text, { find, replace }) => {
    if (!text.includes(find)) throw new Error(`The example ${id} does not contain: ${find}`)
    return text.replace(find, () => replace)
  }, yaml)
}
