import java.util.*;
import java.util.function.*;
import org.apache.commons.lang3.*;
import org.apache.commons.lang3.builder.*;
import org.apache.commons.lang3.math.*;
import org.apache.commons.lang3.mutable.*;
import org.apache.commons.lang3.text.*;
import org.apache.commons.lang3.time.*;
import org.apache.commons.lang3.tuple.*;

/** Two hundred tests of a library: forty functions of it, each with five texts. */
class Library {
    static final String[] TEXTS = {"", "abc", " A quick, brown 12.5 fox ", "0x7F", "-1e3,\u00e9\ud83d\ude00 <b>\n"};
    @SuppressWarnings("deprecation") static final List<Function<String, Object>> FUNCTIONS = Arrays.asList(
        StringUtils::capitalize, StringUtils::swapCase, StringUtils::reverse, StringUtils::isNumeric,
        s -> StringUtils.abbreviate(s, 6), s -> StringUtils.center(s, 12, "ab"), s -> StringUtils.split(s, ", "),
        s -> StringUtils.splitByCharacterTypeCamelCase(s), s -> StringUtils.getLevenshteinDistance(s, "quick"),
        s -> StringUtils.difference(s, "abd"), s -> StringUtils.getCommonPrefix(s, "abx", "ab"), s -> StringUtils.countMatches(s, "b"),
        s -> StringUtils.substringsBetween(s, "<", ">"), s -> StringUtils.replaceEach(s, new String[] {"b", "x"}, new String[] {"y", ""}),
        s -> StringUtils.stripAccents(s), s -> StringUtils.isMixedCase(s), s -> StringUtils.wrap(s, '"'), s -> StringUtils.rotate(s, 2),
        StringEscapeUtils::escapeJava, StringEscapeUtils::escapeHtml4, StringEscapeUtils::escapeCsv, StringEscapeUtils::unescapeXml,
        NumberUtils::isCreatable, NumberUtils::createNumber, s -> NumberUtils.toInt(s, 3), Fraction::getFraction,
        WordUtils::capitalizeFully, s -> WordUtils.wrap(s, 5, "\n", true), WordUtils::initials,
        s -> ArrayUtils.toObject(s.toCharArray()), s -> ArrayUtils.removeElement(s.toCharArray(), 'b'), s -> ArrayUtils.indexOf(s.getBytes(), (byte) 'c'),
        CharSet::getInstance, s -> CharSetUtils.delete(s.substring(1), "a-c"), s -> Range.between(s, "m").contains("k"),
        s -> new ToStringBuilder(s, ToStringStyle.SHORT_PREFIX_STYLE).append("n", s.length()).append("s", s).toString(),
        s -> new CompareToBuilder().append(s, "b").append(s.length(), 3).toComparison(), s -> Pair.of(s, s.length()).compareTo(Pair.of("a", 3)),
        s -> DurationFormatUtils.formatDuration(s.length() * 61234L, "H:mm:ss.S"), s -> BooleanUtils.toBooleanObject(s.trim()));

    static void test(int number) {
        try {
            Object made = FUNCTIONS.get(number / TEXTS.length).apply(TEXTS[number % TEXTS.length]);
            if (made instanceof MutableInt) throw new Error();
        } catch (RuntimeException e) {
            // As the test wants it.
        }
    }

    public static void main(String[] a) {
        int from = a.length == 1 ? Integer.parseInt(a[0]) : 0, to = a.length == 1 ? from + 1 : Integer.parseInt(a[1]);
        // What is initialised once, is so before.
        for (int i = from; i < to; i++) test(i);
        for (int i = from; i < to; i++) {
            jopt.tests.Tests.begin("t" + i);
            test(i);
            jopt.tests.Tests.end("t" + i);
        }
    }
}
