import { expect, test } from 'vitest'

import { paths } from './paths.ts'

test('these are all the URLs of the product', () => {
  const request = '019a1f2c-8f60-7000-8000-000000000000'
  expect({
    home: paths.home(),
    signIn: paths.signIn(),
    signInAndReturn: paths.signIn('/runs?status=running'),
    experiments: paths.experiments(),
    experimentsFiltered: paths.experiments({ search: 'roman', agent: ['careful', 'hasty'], since: '' }),
    newExperiment: paths.newExperiment(),
    template: paths.template('csv-summary'),
    cloneExperiment: paths.newExperiment({ id: 'parse-roman', version: 'f'.repeat(8) }),
    experiment: paths.experiment('parse-roman'),
    experimentDefinition: paths.experiment('parse-roman', 'definition'),
    experimentRuns: paths.experiment('parse-roman', 'runs'),
    experimentResults: paths.experiment('parse-roman', 'results', { groupBy: 'model' }),
    fork: paths.fork('parse-roman'),
    submit: paths.submit('parse-roman'),
    submitFilledIn: paths.submit('parse-roman', {
      version: 'f'.repeat(8),
      variant: ['careful~terse'],
      agent: ['hasty'],
      repeat: 3,
      flag: ['search'],
      mock: true,
    }),
    secrets: paths.secrets(),
    newSecret: paths.newSecret('openai'),
    replaceSecret: paths.secrets({ replace: 'openai' }),
    runs: paths.runs(),
    runsFiltered: paths.runs({ status: ['running', 'queued'], testAware: true }),
    runRequest: paths.run(request),
    run: paths.run('careful~sonnet-4.5::0f3a'),
    compare: paths.compare({ left: 'careful~terse::0f3a', right: 'hasty~terse::77b1', test: 'a/b :: 日本' }),
    test: paths.test('careful~sonnet-4.5::0f3a', 'parses MCMXC'),
  }).toMatchInlineSnapshot(`
    {
      "cloneExperiment": "/experiments/new?clone=parse-roman&version=ffffffff",
      "compare": "/runs/compare?left=careful%7Eterse%3A%3A0f3a&right=hasty%7Eterse%3A%3A77b1&test=a%2Fb+%3A%3A+%E6%97%A5%E6%9C%AC",
      "experiment": "/experiments/parse-roman",
      "experimentDefinition": "/experiments/parse-roman/definition",
      "experimentResults": "/experiments/parse-roman/results?groupBy=model",
      "experimentRuns": "/experiments/parse-roman/runs",
      "experiments": "/experiments",
      "experimentsFiltered": "/experiments?search=roman&agent=careful&agent=hasty",
      "fork": "/experiments/parse-roman?fork=1",
      "home": "/",
      "newExperiment": "/experiments/new",
      "newSecret": "/secrets?new=1&slug=openai",
      "replaceSecret": "/secrets?replace=openai",
      "run": "/runs/careful~sonnet-4.5%3A%3A0f3a",
      "runRequest": "/runs/019a1f2c-8f60-7000-8000-000000000000",
      "runs": "/runs",
      "runsFiltered": "/runs?status=running&status=queued&testAware=true",
      "secrets": "/secrets",
      "signIn": "/sign-in",
      "signInAndReturn": "/sign-in?from=%2Fruns%3Fstatus%3Drunning",
      "submit": "/experiments/parse-roman?submit=1",
      "submitFilledIn": "/experiments/parse-roman?submit=1&version=ffffffff&variant=careful%7Eterse&agent=hasty&flag=search&repeat=3&mock=1",
      "template": "/experiments/new?template=csv-summary",
      "test": "/runs/careful~sonnet-4.5%3A%3A0f3a?test=parses+MCMXC",
    }
  `)
})
