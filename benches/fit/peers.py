"""What a user would pick instead. Each is asked if it is installed; none is needed."""

import json
import os
import shutil
import subprocess


def installed():
    return [peer() for peer in (Gitleaks, Trufflehog, Kingfisher, DetectSecrets, DotenvLinter, Varlock) if shutil.which(peer.command)]


class Peer:
    """A program that reads files: variables are written to `.env`."""

    command = ""

    @property
    def name(self):
        return self.command

    def ask(self, set_up, directory):
        if set_up.variables:
            with open(os.path.join(directory, ".env"), "w", encoding="utf-8") as file:
                for name, value in set_up.variables.items():
                    shown = json.dumps(value) if any(c in value for c in "\n\"' #$") else value
                    file.write(f"{name}={shown}\n")
        return [("error", self.command, names, says) for names, says in self.findings(directory)]

    def run(self, directory, *arguments):
        return subprocess.run([self.command, *arguments], cwd=directory, capture_output=True, text=True).stdout

    def line(self, directory, path, number):
        """The names in a line: what stands before `=` or `:`."""
        with open(os.path.join(directory, path), encoding="utf-8") as file:
            lines = file.read().split("\n")
        text = lines[number - 1] if 0 < number <= len(lines) else ""
        return {text.replace(":", "=").split("=")[0].strip(" -\"'")}


class Gitleaks(Peer):
    command = "gitleaks"

    def findings(self, directory):
        report = os.path.join(directory, "..", os.path.basename(directory) + ".json")
        self.run(directory, "dir", ".", "--report-format", "json", "--report-path", report, "--exit-code", "0")
        with open(report, encoding="utf-8") as file:
            found = json.load(file)
        os.remove(report)
        return [(self.line(directory, one["File"], one["StartLine"]), one["Description"]) for one in found]


class Trufflehog(Peer):
    command = "trufflehog"

    def findings(self, directory):
        lines = self.run(directory, "filesystem", ".", "--no-verification", "--json", "--no-update").splitlines()
        for line in lines:
            one = json.loads(line)
            if "SourceMetadata" in one:
                place = one["SourceMetadata"]["Data"]["Filesystem"]
                yield self.line(directory, place["file"], place.get("line", 1)), one["DetectorName"]


class Kingfisher(Peer):
    command = "kingfisher"

    def findings(self, directory):
        out = self.run(directory, "scan", ".", "--no-validate", "--no-update-check", "--format", "json")
        # A second document follows.
        report, _ = json.JSONDecoder().raw_decode(out or "{}")
        for one in report.get("findings", []):
            place = one["finding"]
            yield self.line(directory, place["path"], place["line"]), one["rule"]["name"]


class DetectSecrets(Peer):
    command = "detect-secrets"

    def findings(self, directory):
        out = self.run(directory, "scan", "--all-files", "--no-verify", ".")
        for path, found in json.loads(out or "{}").get("results", {}).items():
            for one in found:
                yield self.line(directory, path, one["line_number"]), one["type"]


class DotenvLinter(Peer):
    command = "dotenv-linter"

    def findings(self, directory):
        for line in self.run(directory, "check", "--quiet", "--plain", "-r", ".").splitlines():
            path, _, rest = line.partition(":")
            number, _, says = rest.partition(" ")
            if number.isdigit() and os.path.exists(os.path.join(directory, path)):
                yield self.line(directory, path, int(number)), says


class Varlock(Peer):
    """With the schema that a careful user would write for the names that the vendors document: the same facts about single
    values, as patterns. It compares no two values. A name that is not in this list has no type."""

    command = "varlock"
    TYPES = {
        "ANTHROPIC_API_KEY": "^sk-ant-api",
        "AWS_ACCESS_KEY_ID": "^A[KS]IA[A-Z0-9]{16}$",
        "AWS_SECRET_ACCESS_KEY": "^[0-9A-Za-z+/]{40}$",
        "AZURE_CLIENT_ID": "^[0-9a-fA-F-]{36}$",
        "AZURE_TENANT_ID": "^[0-9a-fA-F-]{36}$",
        "CLERK_SECRET_KEY": "^sk_(live|test)_",
        "CLOUDFLARE_ACCOUNT_ID": "^[0-9a-f]{32}$",
        "DATABASE_URL": "^[a-z0-9+]+://",
        "DISCORD_WEBHOOK_URL": "^https://(ptb\\.|canary\\.)?discord(app)?\\.com/api/webhooks/",
        "GITHUB_TOKEN": "^(gh[pousr]_|github_pat_)",
        "GOOGLE_CLIENT_ID": "\\.apps\\.googleusercontent\\.com$",
        "GROQ_API_KEY": "^gsk_",
        "MAIL_PASSWORD": "^[^\"' ]+$",
        "NEW_RELIC_API_KEY": "^NRAK-",
        "NEW_RELIC_LICENSE_KEY": "NRAL$",
        "NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY": "^pk_(live|test)_",
        "NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY": "^pk_(live|test)_",
        "NEXT_PUBLIC_SUPABASE_ANON_KEY": "^(eyJ|sb_publishable_)",
        "NEXT_PUBLIC_SUPABASE_URL": "^https://",
        "OPENAI_API_KEY": "^sk-",
        "OPENROUTER_API_KEY": "^sk-or-",
        "REDIS_URL": "^rediss?://",
        "RESEND_API_KEY": "^re_",
        "SENDGRID_API_KEY": "^SG\\.",
        "SENTRY_AUTH_TOKEN": "^sntry",
        "SENTRY_DSN": "^https://",
        "SLACK_APP_TOKEN": "^xapp-",
        "SLACK_BOT_TOKEN": "^xoxb-",
        "SLACK_SIGNING_SECRET": "^[0-9a-f]{32}$",
        "SLACK_WEBHOOK_URL": "^https://hooks\\.slack\\.com/",
        "STRIPE_PUBLISHABLE_KEY": "^pk_(live|test)_",
        "STRIPE_SECRET_KEY": "^[sr]k_(live|test)_",
        "STRIPE_WEBHOOK_SECRET": "^whsec_",
        "SUPABASE_ANON_KEY": "^(eyJ|sb_publishable_)",
        "SUPABASE_SERVICE_ROLE_KEY": "^(eyJ|sb_secret_)",
        "SUPABASE_URL": "^https://",
        "TELEGRAM_BOT_TOKEN": "^[0-9]+:",
        "TWILIO_ACCOUNT_SID": "^AC[0-9a-f]{32}$",
        "TWILIO_API_KEY": "^SK",
        "UPSTASH_REDIS_REST_URL": "^https://",
    }

    def findings(self, directory):
        path = os.path.join(directory, ".env")
        if not os.path.exists(path):
            return
        with open(path, encoding="utf-8") as file:
            names = {line.split("=")[0].replace("export ", "").strip() for line in file if "=" in line}
        schema = "# @defaultRequired=false @defaultSensitive=false\n# ---\n" + "".join(
            f"# @type=string(matches={json.dumps(self.TYPES[name])})\n{name}=\n" for name in sorted(names & set(self.TYPES))
        )
        with open(os.path.join(directory, ".env.schema"), "w", encoding="utf-8") as file:
            file.write(schema)
        environment = {**os.environ, "VARLOCK_TELEMETRY_DISABLED": "1"}
        run = subprocess.run([self.command, "load"], cwd=directory, capture_output=True, text=True, env=environment)
        name = ""
        for line in (run.stdout + run.stderr).splitlines():
            words = line.replace("*", " ").split()
            if words[:1] == ["\u274c"] and len(words) > 1:
                name = words[1]
            elif name and words[:1] == ["-"]:
                yield {name}, " ".join(words[1:])
                name = ""
