/** Two agents, of which one writes the right sum. */
export const sumDefinition = (id: string) => `id: ${id}
name: Write a sum
agents:
  - { id: hasty, command: [bash, -c, 'echo 41 > sum.txt'] }
  - { id: careful, command: [bash, -c, 'echo 42 > sum.txt'] }
tests:
  - name: the sum is right
    command: [bash, -c, "grep -qx 42 sum.txt"]
`

/** A block of a report with a view of the experiment’s results. */
export const chartBlock = (id: string, view: string) =>
  `\`\`\`chart\npage: /experiments/${id}/results?view=${view}&group_by=agent\ntitle: Drawn as ${view}\n\`\`\``
