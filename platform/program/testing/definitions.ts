/** A small experiment with two agents, two prompts and one test. `extra` is added at the end. */
export const twoByTwo = (id = 'two-by-two', extra = '') => `
id: ${id}
name: Two by two
agents:
  - id: careful
    command: [bash, -c, "echo careful"]
  - id: hasty
    command: [bash, -c, "echo hasty"]
models: [sonnet-4.5]
prompts:
  - {id: terse, text: Write it.}
  - {id: wordy, text: Please write it.}
tests:
  - {name: it works, command: ["true"]}
${extra}`
