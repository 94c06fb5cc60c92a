package harness;

import java.util.Arrays;
import java.util.Objects;

/** What tests claim. The expected value comes first; an optional message comes last. */
public final class Assert {
    private Assert() {
    }

    /** Code that may throw. */
    public interface Executable {
        void execute() throws Throwable;
    }

    /** Whole numbers are equal by value, whatever their types. */
    public static void assertEquals(Object expected, Object actual) {
        assertEquals(expected, actual, null);
    }

    public static void assertEquals(Object expected, Object actual, String message) {
        if (!areEqual(expected, actual)) {
            throw failure(message, "expected: <" + show(expected) + "> but was: <" + show(actual) + ">");
        }
    }

    public static void assertEquals(double expected, double actual, double delta) {
        boolean isClose = Double.compare(expected, actual) == 0 || Math.abs(expected - actual) <= delta;
        if (!isClose) {
            throw failure(null, "expected: <" + expected + "> but was: <" + actual + ">");
        }
    }

    public static void assertNotEquals(Object unexpected, Object actual) {
        if (areEqual(unexpected, actual)) {
            throw failure(null, "expected something other than: <" + show(actual) + ">");
        }
    }

    public static void assertArrayEquals(Object expected, Object actual) {
        if (!Arrays.deepEquals(new Object[] {expected}, new Object[] {actual})) {
            throw failure(null, "expected: <" + show(expected) + "> but was: <" + show(actual) + ">");
        }
    }

    public static void assertSame(Object expected, Object actual) {
        if (expected != actual) {
            throw failure(null, "expected the same object: <" + show(expected) + "> but was: <" + show(actual) + ">");
        }
    }

    public static void assertTrue(boolean condition) {
        assertTrue(condition, null);
    }

    public static void assertTrue(boolean condition, String message) {
        if (!condition) {
            throw failure(message, "expected: <true> but was: <false>");
        }
    }

    public static void assertFalse(boolean condition) {
        assertFalse(condition, null);
    }

    public static void assertFalse(boolean condition, String message) {
        if (condition) {
            throw failure(message, "expected: <false> but was: <true>");
        }
    }

    public static void assertNull(Object actual) {
        if (actual != null) {
            throw failure(null, "expected: <null> but was: <" + show(actual) + ">");
        }
    }

    public static void assertNotNull(Object actual) {
        if (actual == null) {
            throw failure(null, "expected: not <null>");
        }
    }

    /** Returns what was thrown, for claims about its message. */
    public static <T extends Throwable> T assertThrows(Class<T> expected, Executable code) {
        try {
            code.execute();
        } catch (Throwable thrown) {
            if (expected.isInstance(thrown)) {
                return expected.cast(thrown);
            }
            AssertionError error = failure(null, "expected " + expected.getName() + " but " + thrown + " was thrown");
            error.initCause(thrown);
            throw error;
        }
        throw failure(null, "expected " + expected.getName() + " but nothing was thrown");
    }

    public static void fail(String message) {
        throw new AssertionError(message);
    }

    private static boolean areEqual(Object a, Object b) {
        if (isWhole(a) && isWhole(b)) {
            return ((Number) a).longValue() == ((Number) b).longValue();
        }
        return Objects.equals(a, b);
    }

    private static boolean isWhole(Object value) {
        return value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte;
    }

    private static String show(Object value) {
        String text = Arrays.deepToString(new Object[] {value});
        return text.substring(1, text.length() - 1);
    }

    private static AssertionError failure(String message, String reason) {
        return new AssertionError(message == null ? reason : message + " ==> " + reason);
    }
}
