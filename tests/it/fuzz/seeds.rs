//! The seeds: meaningful inputs, with the secret wherever a value is possible.

use super::SECRET;

fn planted(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.replace('§', SECRET).into_bytes()).collect()
}

pub fn toml() -> Vec<Vec<u8>> {
    let mut seeds = planted(&[
        "[messaging.r]\nbase_url = 'https://h.example'\ntoken = '§'\nwebhook_url = \"§\"\nchannels = ['C0123456789', '§']\ninitial_comment = '''\n§\n'''\n",
        "# §\n[storage.s] # credlint: allow(missing-key-pair) §\napplication_key_id = '0051a2b3c4d5e6f0000000001'\napplication_key = { env = 'A_KEY' }\nendpoint = 's3.x-005.backblazeb2.com'\n",
        "[lint]\nfail_on = 'warning'\nlevels = { literal-secret = 'off', '§' = '§' }\n[[lint.allow]]\nrule = 'no-channels'\nprofile = 'messaging.r'\nreason = '§'\n[messaging.r]\ntoken = { file = 'key' }\nbase_url = 'http://127.0.0.1:1/§'\n",
        "[trust]\nhosts = ['§', 'h.example']\n[messaging]\nr.token = '§'\nr.channels = '§'\nr.'§' = 1\ns = { token = ['§'], webhook_url = { env = ['§'] } }\n",
        "[messaging.r]\ntokn = 'Bearer §'\nbase_url = 'https://h.example/api'\nchannels = ['C0123456789', 'C0123456789', ' C1']\nx-y = 1979-05-27T07:32:00Z\nz = [1, 1.5e3, true, inf]\n",
    ]);
    seeds.extend(["examples/passes.toml", "examples/backups.toml"].map(example));
    seeds
}

fn example(name: &str) -> Vec<u8> {
    std::fs::read(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

pub fn service() -> Vec<Vec<u8>> {
    let mut seeds = planted(&[
        "# §\nname = '§'\nwords = ['ACME', '§']\n[form.'§']\nnoun = 'a §'\npatterns = ['§']\nsample = '§'\n",
        "name = 'Acme'\nwords = ['ACME']\n[form.a]\nnoun = 'a key'\npatterns = ['a_[0-9]{9}']\nsample = 'a_§{9*9}'\nadvice = '§ §'\n",
        "name = 'Acme'\nwords = ['ACME']\n[form.a]\nnoun = 'a key'\npatterns = [{ hosts = ['§.example'], path = '§' }, { text = '(?<json>§)', has = { '§' = '§' } }]\nsample = ['{h*9}', '§']\n[field.a]\ntakes = ['§', 'a']\nnames = [{ words = ['§'], source = { official = '§' } }]\n[[field.a.mistake]]\nforms = ['§']\nrepair = '§'\n",
        "name = 'Acme'\n[sources]\n'§' = { official = '§' }\n[texts]\n'§' = ['§']\n[[error]]\ntexts = ['§ x']\nabout = ['§']\nmeaning = '§'\n[examples]\nfiles = \"\"\"\n§\n\"\"\"\n",
        "name = 1\n§\n[§]\n'§' = 1979-05-27\n",
    ]);
    seeds.push(crate::own_services::ACME.as_bytes().to_vec());
    seeds
}

pub fn yaml() -> Vec<Vec<u8>> {
    planted(&[
        "messaging:\n  r:\n    base_url: https://h.example\n    token: \"§\"\n    webhook_url: '§'\n    channels: [C0123456789, '§']\n    initial_comment: |\n      a\n      §\n",
        "# §\nmessaging:\n  r: &r\n    token: >-\n      §\n  s:\n    <<: *r\n    initial_comment: { file: §/x }\n  t: {<<: [*r, {channels: [C1]}], tokn: x}\n",
        "---\nstorage:\n  s: # credlint: allow(missing-key-pair) §\n    application_key_id: !!str 0051a2b3c4d5e6f0000000001\n    application_key: {env: A_KEY}\n    ? §\n    : \"\\x41\\u0041 §\"\n...\n",
        "$schema: x\nx-common: &c {reason: §}\nsops: {mac: §}\nlint:\n  fail_on: ~\n  levels: {literal-secret: off}\n  allow:\n  - {rule: no-channels, <<: *c}\n  - rule: '§'\n",
        "messaging: {r: {token: null, base_url: 0x1F, channels: [1, 1.5, true, no, 2001-01-01, ~]}}\n",
    ])
}

pub fn json() -> Vec<Vec<u8>> {
    planted(&[
        "{\"messaging\": {\"r\": {\"base_url\": \"https://h.example\", \"token\": \"§\", \"webhook_url\": {\"env\": \"§\"}, \"channels\": [\"C0123456789\", \"§\"]}}}",
        "{\n  // §\n  \"storage\": {\"s\": {\"application_key_id\": \"0051a2b3c4d5e6f0000000001\", /* § */ \"application_key\": {\"file\": \"§\"}, \"bucket\": \"§\",},},\n}\n",
        "{\"$schema\": \"§\", \"lint\": {\"fail_on\": \"warning\", \"levels\": {\"§\": \"off\"}, \"allow\": [{\"rule\": \"no-channels\", \"reason\": \"§\"}]}, \"messaging\": {\"r\": {}}}",
        "{\"blocks\": [{\"type\": \"section\", \"text\": {\"type\": \"mrkdwn\", \"text\": \"§\"}}, {\"type\": \"§\", \"§\": 1e5}]}",
        "{\"messaging\": {\"r\": {\"token\": \"\\u0041\\n\\ud83d\\udd11§\", \"channels\": [1, -1.5e3, true, null, [], {}], \"§\": {\"§\": 1}}}}",
    ])
}

pub fn dotenv() -> Vec<Vec<u8>> {
    let mut seeds = planted(&[
        "# §\nCREDLINT_MESSAGING__R__TOKEN=§ # §\nexport CREDLINT_MESSAGING__R__BASE_URL='https://h.example'\nCREDLINT_MESSAGING__R__CHANNELS=C0123456789, §\nOTHER=\"§\\n§\"\n",
        "CREDLINT_STORAGE__S__APPLICATION_KEY_FILE=key\nCREDLINT_STORAGE__S__ACCOUNT_ID=1a2b3c4d5e6f\nCREDLINT_STORAGE__S__§=x\nCREDLINT_X__Y=§\n",
        "\u{feff}A='§\n§'\r\nB=\"${A} \\\" §\"\r\nC=`§`\nbare\ndotted.name=1\nset -a\n[section]\n; §\nD=1 E=2\nCREDLINT_MESSAGING__R__TOKEN=\n",
    ]);
    seeds.extend(["examples/passes.env", "examples/mistakes.env"].map(example));
    seeds
}

pub fn policy() -> Vec<Vec<u8>> {
    let mut seeds = planted(&[
        "[lint]\nfail_on = 'warning'\nlevels = { missing-token = 'warning', '§' = 'off' }\n[[lint.allow]]\nrule = 'literal-secret'\nprofile = '§'\nreason = '§'\n[trust]\nhosts = ['h.example', '§']\n",
        "[trust]\nhosts = '§'\n",
    ]);
    seeds.extend(toml());
    seeds
}

pub fn baseline() -> Vec<Vec<u8>> {
    planted(&[
        "{\"schema\": \"credlint/baseline/v1\", \"findings\": [{\"fingerprint\": \"0123456789abcdef0123456789abcdef\", \"rule\": \"missing-token\", \"profile\": \"messaging.r\"}, {\"fingerprint\": \"§\", \"rule\": \"x\", \"profile\": null}]}\n",
        "{\"schema\": \"credlint/baseline/v1\", \"findings\": [{\"fingerprint\": \"ffffffffffffffffffffffffffffffff\", \"rule\": \"§\", \"profile\": null}]}",
        "{\"schema\": \"credlint/baseline/v1\", \"findings\": [{\"fingerprint\": \"00000000000000000000000000000000\", \"rule\": \"x\", \"profile\": \"messaging.§\", \"§\": \"§\"}], \"§\": 1}\n",
        "{\"schema\": \"credlint/baseline/v1\", \"findings\": []}\n",
    ])
}

#[cfg(feature = "upload")]
pub fn journal() -> Vec<Vec<u8>> {
    let line = |state: &str, more: &str| {
        format!(
            "{{\"schema\":\"credlint/journal/v1\",\"time\":1700000000,\"key\":\"KEY\",\"file\":\"report.csv\",\"state\":\"{state}\",\"size\":4,\"modified\":1700000000000000000,\"sha256\":null,\"file_id\":{more},\"error\":null}}\n"
        )
    };
    let lines = [
        line("begun", "null")
            + &line("ticket", "\"F0123456789\"")
            + &line("posting", "\"F0123456789\"")
            + &line("delivered", "\"F0123456789\""),
        line("begun", "null")
            + &line("uncertain", "\"§\"").replace("report.csv", "§").replace("\"error\":null", "\"error\":\"§\""),
        line("posting", "\"F0123456789\"").replace("null,\"file_id\"", "\"§\",\"file_id\""),
        line("failed", "null").replace("\"state\"", "\"§\":1,\"state\""),
        "{\"schema\":\"credlint/journal/v2\",\"key\":\"§\"}\n".to_owned(),
    ];
    planted(&lines.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Complete answers; `BASE` is the address of the service.
#[cfg(all(feature = "upload", feature = "sandbox"))]
pub fn answers() -> Vec<Vec<u8>> {
    const BODIES: &[&str] = &[
        "{\"ok\":true,\"upload_url\":\"BASE/upload/v1/x\",\"file_id\":\"F0123456789\",\"file\":{\"id\":\"F0123456789\",\"permalink\":\"https://h.example/files/§\",\"shares\":{\"public\":{}}},\"files\":[{\"id\":\"F0123456789\",\"title\":\"§\"}]}",
        "{\"ok\":false,\"error\":\"missing_scope\",\"needed\":\"files:write,§\",\"provided\":\"chat:write\",\"response_metadata\":{\"messages\":[\"[ERROR] § is not valid\",\"§\"],\"warnings\":[\"§\"]}}",
        "{\"ok\":true,\"url\":\"§\",\"team\":\"§\",\"team_id\":\"T0123456789\",\"enterprise_id\":null,\"bot_id\":\"B0123456789\",\"user_id\":\"§\",\"expires_in\":3600,\"channel\":{\"id\":\"C0123456789\",\"is_member\":true,\"is_archived\":false}}",
        "{\"ok\":true,\"team_id\":\"T0123456789\",\"channels\":[{\"id\":\"C0123456789\",\"name\":\"general\"},{\"id\":\"§\",\"name_normalized\":\"§\"}],\"response_metadata\":{\"next_cursor\":\"§\"}}",
        "{\"accountId\":\"§\",\"authorizationToken\":\"§\",\"apiInfo\":{\"storageApi\":{\"allowed\":{\"capabilities\":[\"listBuckets\",\"§\"],\"buckets\":[{\"id\":\"§\",\"name\":\"nightly\"},{\"id\":\"x\",\"name\":null}],\"namePrefix\":\"§\"}}}}",
        "{\"code\":\"bad_auth_token\",\"message\":\"§\",\"status\":401}",
        "{\"code\":\"§\",\"message\":\"§\",\"status\":503}",
        "<!DOCTYPE html><title>§</title>",
        "§",
        "",
    ];
    let framed = |(index, body): (usize, &&str)| {
        let status = ["200 OK", "401 §", "429 Too Many", "503 §", "302 Found"][index % 5];
        let more = [
            "", "x-oauth-scopes: files:write,channels:read,§\r\n", "Retry-After: 1\r\n",
            "Location: https://§.example/§\r\n",
        ][index % 4];
        [
            format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n{more}Connection: close\r\n\r\n{body}"),
            format!("HTTP/1.1 {status}\r\n{more}Content-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len()),
            format!(
                "HTTP/1.1 {status}\r\n{more}Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n",
                body.len()
            ),
            format!("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Encoding: §\r\n\r\n{body}"),
        ]
    };
    let texts: Vec<String> = BODIES.iter().enumerate().flat_map(framed).collect();
    planted(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Files of other programs, by dialect.
pub fn found(dialect: &str) -> Vec<Vec<u8>> {
    planted(match dialect {
        "env" => &[
            "# §\nexport SLACK_TOKEN=\"§\" B2_KEY_ID='§' # §\n§=x; B2_KEY=${§}\nset \"SLACK_APP_TOKEN=§\"\n$env:B2_KEY = '§'\nset -gx A §\n",
            "[Service]\nEnvironment=\"SLACK_TOKEN=§\" B2_KEY=§\nif [ a ]; then\n  SLACK_BOT_TOKEN=$(cat <<EOF\n§\nEOF\n)\nfi\n",
            "b2 account authorize § '§'\nkopia repository create b2 --key-id=§ \\\n  --key \"§\"\nhelm x --set slack.token=§,a.§=x --set-string=b=§\nduplicity b2://§:§@x; heroku config:set SLACK_TOKEN=§\n",
            "cat > rclone.conf <<-EOF\n\t[b2]\n\ttype = b2\n\taccount = §\n\tkey = §\n\tEOF\ntee a.json <<'§'\n{\"slack\": {\"token\": \"§\"}}\n§\n",
            "FROM x\nENV SLACK_TOKEN=§ \\\n  A=b\nRCLONE_CONFIG_§_TYPE=b2\nRCLONE_CONFIG_X_TYPE=b2\nRCLONE_CONFIG_X_KEY=§\nT=b2://§:§@b?auth-username=§&auth-password=§\n",
        ],
        "env0" => &[
            "SLACK_TOKEN=§\0B2_KEY_ID=§\0§=x\0", "A\0=§\0SLACK_APP_TOKEN=\"§\"\n\0",
            "SLACK_TOKEN=§\n§\nB2_KEY_ID='§' \n=§\n§=x\nA",
        ],
        "ini" => &[
            "[§]\ntype = b2\naccount = §\nkey = §\n; §\n[s3]\nendpoint = s3.x-005.backblazeb2.com\naccess_key_id: §\nsecret_access_key = §\n",
            "slack_token = §\n[a\n§\n  continued §\n[]\n = §\n",
        ],
        "toml" => &[
            "[slack]\ntoken = '§'\n[b2]\nkey_id = \"§\"\napplication_key = '''\n§'''\n['§'.slack]\n'§' = [{name = 'SLACK_TOKEN', value = '§'}]\n",
        ],
        "json" => &[
            "{\"slack\": {\"token\": \"§\", \"§\": [\"SLACK_TOKEN=§\", {\"Name\": \"B2_KEY\", \"Value\": \"§\"}]}, \"b2\": {\"key_id\": \"§\", \"app_key\": \"\\u0041§\"}}",
            "[{\"type\": \"b2\", \"config\": {\"keyID\": \"§\", \"key\": \"§\"}}, // §\n {\"u\": \"b2://§:§@x\",},]",
        ],
        "yaml" => &[
            "kind: Secret\ndata: {slack-token: '§', '§': §}\n---\nkind: Secret\nstringData: &s\n  SLACK_TOKEN: |\n    §\n---\nb: {<<: *s}\n",
            "services:\n  a:\n    environment:\n    - SLACK_TOKEN=§\n    - 'B2_KEY=\"§\"'\nenv:\n- name: B2_KEY\n  valueFrom: {secretKeyRef: {name: §, key: §}}\nglobal: {slack_api_url: §}\n",
            "access-key-id: §\nsecret-access-key: §\ndbs:\n- replicas:\n  - endpoint: s3.x-005.backblazeb2.com\nb2:\n  accountIDSecretRef: {name: §, key: §}\n",
        ],
        "sh" => &[
            "#!/bin/sh\nSLACK_TOKEN=§ ./x B2_KEY=§\nB2_KEY_ID='§ §' y\n§=x z\n0 4 * * * SLACK_APP_TOKEN=§ /x\nexport §\n",
        ],
        "properties" => &["# §\nslack.token = §\nslack.§=\\u0041§\\\n  §\nb2.keyId: \"§\" \n§\nslack\\ token §\n\\"],
        "xml" => &[
            "<?xml?><a><!-- § --><add key='SlackBotToken' value='§'/><add value=\"§\" § key='§'/><setting name='B2Key'><value>§</value></setting>\n<add key='A",
            "<setting name='§'\n>&lt;<value>&amp;§</value><![CDATA[§]]></a><add key=§ value=§>",
        ],
        _ => &["stringData:\n  {{ if § }}\n  SLACK_TOKEN: §\n  B2_KEY_ID = \"§\" # §\n  {{ .§ }}: §\nslack.token=§\n"],
    })
}
