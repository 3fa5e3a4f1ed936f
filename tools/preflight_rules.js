// Evaluates the rules of cdk-preflight: a list of {templatePath, region, accountId} from standard input to violations.
const fs = require('fs');
const { PreflightEnforcePlugin } = require('cdk-preflight/lib/private/enforce.js');
const { BUNDLED_RULES } = require('cdk-preflight/lib/rules.generated.js');

const stackTemplates = JSON.parse(fs.readFileSync(0, 'utf8'));
const { violations } = new PreflightEnforcePlugin(BUNDLED_RULES, false).validate({ stackTemplates });
process.stdout.write(JSON.stringify({ rules: BUNDLED_RULES, violations }));
