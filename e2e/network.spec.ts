import { expect, test } from './fixtures.ts'
import { submitExperiment } from './submit-experiment.ts'

test('the run page lists the hosts that a run could not reach, with the reason for each', async ({ page }) => {
  const id = `network-${Date.now()}`
  const yaml = `id: ${id}
name: Curious
agents:
  - {id: curious, command: [bash, -c, "curl -s http://169.254.169.254/latest/meta-data; curl -s http://10.0.0.1:8080/; true"]}
environments: [{id: open, network: true}]
`
  await page.goto('/')
  const { runs } = await submitExperiment(page, { id, yaml })
  await page.goto(`/runs/${encodeURIComponent(runs[0]?.id ?? '')}`)
  await page.getByRole('navigation', { name: 'Views of the run' }).getByRole('link', { name: 'Network' }).click()
  await expect(page.getByText('The environment allows every public address.')).toBeVisible()
  await expect(page.getByRole('region', { name: '2 connections refused or failed.' })).toContainText('10.0.0.1:8080')
  const row = page.getByRole('row', { name: /169\.254\.169\.254:80/ })
  await expect(row).toContainText('It is the metadata address of a cloud machine.')
})
