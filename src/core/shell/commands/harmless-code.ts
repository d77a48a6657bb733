import { STRING } from './code-text.ts'
import type { CodeLanguage } from './inline-code.ts'

/**
 * Whether a piece of inline code surely does nothing but read, compute and print. There are more ways to write a file
 * than can be listed, so it is the harmless calls that are listed: code that calls anything else may write.
 * Calls that were understood already are given as `_`.
 */
export function isHarmless(language: CodeLanguage, code: string): boolean {
  const { comment, calls, never } = LANGUAGES[language]
  const plain = masked(code, comment).replace(BY_NAME, ' ')
  if (never.test(plain)) return false
  if (!calls) return true
  const own = new Set(Array.from(plain.matchAll(DEFINED), (found) => found[1] ?? found[2] ?? ''))
  return plain.match(CALLED)?.every((call) => isKnown(call.replace(/(?<![\s(])[\s(]+$/, ''), calls, own)) ?? true
}

function isKnown(name: string, calls: ReadonlySet<string>, own: ReadonlySet<string>): boolean {
  return /^_+$/.test(name) || calls.has(name) || own.has(name)
}

const CALLED = /(?<![\w$])[\w$]+\s*\(/g
/** Functions of the code itself: what they do stands there too. */
const DEFINED = /\b(?:def|function)\s+(\w+)|\b(\w+)\s*=\s*(?:async\s*)?(?:\([^()]*\)|\w+)\s*=>/g

/** `import { a, b } from` and `const { a, b } = require(…)` give nothing another name. */
const BY_NAME = /\bimport\s*\{(?![^{}]*\bas\b)[^{}]{0,300}\}\s*from\b|\{[^{}:]{0,300}\}(?=\s*=\s*require\()/g

/** Text into which code is put: `f"{open(p)}"`, `"#{x()}"`. */
const INTERPOLATED = /\{[^}]{0,200}[(`]/

/** The code without what stands in strings and comments. */
function masked(code: string, comment: string): string {
  return code.replace(new RegExp(`${STRING}|${comment}`, 'g'), (found) => {
    if (!/^['"]/.test(found)) return ''
    return INTERPOLATED.test(found) ? found.replace(/['"]/g, ' ') : '""'
  })
}

interface Harmless {
  /** What a comment looks like. */
  comment: string
  /** The only calls there may be; absent for languages that call without parentheses. */
  calls?: ReadonlySet<string>
  /** Anything here may write: calls by another name, and names passed on to be called later. */
  never: RegExp
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

const LANGUAGES: Record<CodeLanguage, Harmless> = {
  python: {
    comment: '#[^\\n]*',
    calls: words(`
      if elif while for in not and or return lambda assert yield await with except print del raise else is
      len range str int float bool list dict set tuple frozenset bytes bytearray sorted reversed enumerate zip map filter sum
      min max abs any all isinstance issubclass hasattr type repr ascii format ord chr hex bin oct round divmod pow iter next
      input id hash callable slice complex super object property staticmethod classmethod dataclass
      Exception ValueError KeyError TypeError RuntimeError SystemExit AssertionError
      Path PurePath load loads load_all safe_load safe_load_all dump dumps safe_dump read readline readlines read_text
      read_bytes write writelines close flush getvalue seek StringIO BytesIO reader writer DictReader DictWriter writerow
      writerows writeheader
      split rsplit splitlines partition rpartition strip lstrip rstrip join replace startswith endswith lower upper title
      capitalize casefold swapcase find rfind index rindex count center ljust rjust zfill isdigit isalpha isalnum isspace
      isupper islower expandtabs encode decode translate maketrans removeprefix removesuffix format_map
      get items keys values append extend insert pop sort reverse setdefault add discard union intersection difference
      fromkeys most_common Counter defaultdict OrderedDict deque namedtuple
      match search fullmatch findall finditer sub subn compile escape group groups groupdict start end span
      exists isfile isdir islink getsize getmtime basename dirname abspath realpath relpath normpath splitext expanduser
      isabs is_file is_dir is_symlink iterdir glob rglob iglob stat lstat resolve absolute relative_to with_suffix with_name
      as_posix cwd home getcwd listdir scandir walk getenv get_terminal_size cpu_count getpid uname
      exit now today utcnow fromtimestamp fromisoformat strptime strftime isoformat timedelta datetime date time
      timestamp total_seconds sleep perf_counter monotonic process_time
      sqrt floor ceil log log2 log10 exp sin cos tan atan gcd factorial prod isclose mean median stdev
      Decimal Fraction randint random choice choices shuffle sample seed uniform token_hex token_urlsafe
      md5 sha1 sha256 sha512 hexdigest digest b64encode b64decode urlsafe_b64encode urlsafe_b64decode
      uuid4 uuid1 UUID urlparse urlencode quote unquote urljoin parse_qs urlopen
      parse literal_eval fix_missing_locations iter_child_nodes iter_fields get_docstring unparse
      chain islice product permutations combinations groupby accumulate repeat cycle tee zip_longest starmap partial reduce
      wraps lru_cache itemgetter attrgetter pprint pformat indent dedent wrap fill unified_diff ndiff SequenceMatcher ratio
      get_close_matches python_version platform system machine node version find_spec files fromstring iter findtext
      getroot unpack pack calcsize normalize name category getsource signature`),
    never:
      /\b(?:open|remove|unlink|rename|replace|rmtree|rmdir|removedirs|move|copy\w*|mkdir|makedirs|symlink|link|chmod|chown|truncate|touch|write_text|write_bytes|system|popen|getattr|setattr|globals|locals|vars|builtins|__(?!name__|file__|doc__|version__|main__|init__|class__|dict__)\w+__)\b(?!\s*\()|\bimport\s+\*|\.replace\([^(),]{0,200}\)|[\])]\s*\(|\bos\.system\b/,
  },
  node: {
    comment: '//[^\\n]*|/\\*[\\s\\S]*?\\*/',
    calls: words(`
      if for while switch catch function return async await typeof of in new
      require log error warn info table dir debug parse stringify
      readFileSync readFile existsSync statSync lstatSync stat readdirSync readdir realpathSync accessSync createReadStream
      isFile isDirectory isSymbolicLink
      join resolve basename dirname extname relative normalize isAbsolute fileURLToPath pathToFileURL
      keys values entries fromEntries assign freeze getOwnPropertyNames hasOwn hasOwnProperty is structuredClone
      map filter forEach reduce reduceRight find findIndex findLast some every includes indexOf lastIndexOf slice splice push
      pop shift unshift sort reverse concat flat flatMap split fill at with toSorted toReversed isArray from
      replace replaceAll match matchAll test exec search trim trimStart trimEnd toString toFixed toUpperCase toLowerCase
      padStart padEnd repeat startsWith endsWith charAt charCodeAt codePointAt fromCharCode fromCodePoint substring substr
      localeCompare valueOf toJSON
      String Number Boolean Array Object Map Set WeakMap Date RegExp Error TypeError Promise Symbol BigInt Buffer URL
      URLSearchParams TextDecoder TextEncoder Intl NumberFormat DateTimeFormat format
      then finally all allSettled race has get set add delete clear now toISOString toLocaleString getTime getFullYear
      getMonth getDate getHours parseInt parseFloat isNaN isFinite isInteger max min floor ceil round abs random pow sqrt
      trunc log2 log10 setTimeout clearTimeout setImmediate nextTick on once cwd exit hrtime bigint memoryUsage uptime
      write inspect promisify isDeepStrictEqual createHash createHmac update digest randomBytes randomUUID fetch json text
      arrayBuffer encodeURIComponent decodeURIComponent encodeURI decodeURI atob btoa byteLength alloc equals compare
      cpus totalmem freemem platform release hostname homedir tmpdir type arch strictEqual deepStrictEqual ok equal
      getHeapStatistics gunzipSync gzipSync inflateSync deflateSync brotliDecompressSync`),
    never:
      /\b(?:(?=\w*(?:[wW]rite|[aA]ppend|[uU]nlink|[rR]ename|[cC]opy|[sS]ymlink|[tT]runcate|[cC]hmod|[cC]hown|[uU]times|[mM]k(?:dir|dtemp)|[oO]utputFile))\w+|link|linkSync|rm|rmSync|rmdir|rmdirSync|cp|cpSync|open|openSync|require|eval|Function|binding|dlopen|promises|constructor)\b(?!\s*\()|\]\s*(?:\?\.)?\(|\?\.\(|\brequire\s*\((?!\s*"")/,
  },
  ruby: {
    comment: '#[^\\n{]*',
    never:
      /\b(?:FileUtils|Tempfile|Kernel|Process|Open3|Object|Zip)\b(?!\._)|\b(?:File|IO|Dir|Pathname)\b(?:\.new\([^()]*\))?(?:\.|::)(?!_|new\b|exist|read|file|directory|join|basename|dirname|extname|expand|absolute|realpath|foreach|glob|size|stat|mtime|zero|empty|entries|children|each|pwd|home|SEPARATOR)\w+|(?<![.\w])open\b|\b(?:send|public_send|__send__|method|const_get|reopen|load|require_relative|fork|syscall)\b|\.write\b(?!\()/,
  },
  perl: {
    comment: '#[^\\n]*',
    never:
      /\b(?:sysopen|syswrite|truncate|symlink|link|chmod|chown|utime|require|fork|syscall|kill|eval|open|opendir)\b|\bIO::|\bFile::(?!Basename|Spec)|&\$|->\s*\(/,
  },
  php: {
    comment: '//[^\\n]*|/\\*[\\s\\S]*?\\*/|#[^\\n]*',
    calls: words(`
      if elseif for foreach while switch catch function fn match array list exit die return isset empty unset echo print and or
      printf sprintf vsprintf var_dump print_r var_export json_encode json_decode serialize file_get_contents file is_file
      is_dir is_link is_readable is_writable file_exists filesize filemtime basename dirname realpath pathinfo glob scandir
      getcwd getenv phpversion php_uname php_sapi_name php_ini_loaded_file ini_get ini_get_all extension_loaded
      get_loaded_extensions function_exists class_exists method_exists defined constant memory_get_usage
      memory_get_peak_usage sys_get_temp_dir phpinfo
      count sizeof in_array range compact array_keys array_values array_merge array_map array_filter array_reduce array_sum
      array_slice array_column array_unique array_flip array_key_exists array_search array_combine array_diff
      array_intersect array_reverse array_push array_pop array_shift array_fill sort rsort usort ksort asort arsort
      strlen str_replace str_contains str_starts_with str_ends_with str_pad str_repeat str_split substr substr_count strpos
      strrpos stripos strrev strcmp strtolower strtoupper ucfirst ucwords lcfirst trim ltrim rtrim explode implode join
      nl2br wordwrap number_format mb_strlen mb_substr mb_strtolower mb_strtoupper preg_match preg_match_all preg_replace
      preg_split preg_quote htmlspecialchars html_entity_decode strip_tags addslashes
      intval floatval strval boolval is_array is_string is_int is_numeric is_null is_bool gettype get_class settype
      round floor ceil abs max min pow sqrt intdiv fmod pi rand mt_rand random_int random_bytes
      date time microtime mktime strtotime gmdate date_default_timezone_get hrtime DateTime DateTimeImmutable format modify
      getTimestamp md5 sha1 hash crc32 base64_encode base64_decode bin2hex hex2bin urlencode urldecode rawurlencode
      http_build_query parse_url parse_str password_hash password_verify uniqid usleep sleep
      stdClass ArrayObject Exception getMessage`),
    never:
      /\bnew\s+(?!DateTime|DateTimeImmutable|stdClass|ArrayObject|Exception)\w+|\b(?:include|require)(?:_once)?\b|[\])]\s*\(/,
  },
}
